public import PathModel

extension PathMonitor: AsyncSequence {
  /// A path is an element.
  public typealias Element = NetworkPath
  /// Iterating never fails.
  public typealias Failure = Never

  /// The paths for one iteration, beginning with the one at its start. Iterations are independent of each other
  /// and need no ``PathMonitor/start(queue:)``. They end with ``PathMonitor/cancel()`` and with the task; until
  /// then an iteration keeps its monitor alive.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<NetworkPath>.Iterator
    private var last: NetworkPath?
    /// `for await path in PathMonitor()` has no other owner of the monitor.
    private let monitor: PathMonitor

    fileprivate init(_ monitor: PathMonitor) {
      self.monitor = monitor
      base = monitor.core.makeStream().makeAsyncIterator()
    }

    /// The next path that differs from the one before; `nil` at the end.
    public mutating func next() async -> NetworkPath? {
      await next(isolation: nil)
    }

    /// The next path that differs from the one before; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
      while let path = await base.next(isolation: actor) {
        // Where paths were skipped, the newest can be what was delivered last.
        if path == last { continue }
        last = path
        return path
      }
      return nil
    }
  }

  /// Begins an iteration.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }
}

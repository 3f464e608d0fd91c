public import PathModel

extension PathMonitor: AsyncSequence {
  /// A path is an element.
  public typealias Element = NetworkPath
  /// Iterating never fails.
  public typealias Failure = Never

  /// The paths for one iteration, beginning with the one at its start. Iterations are independent of each other
  /// and need no ``PathMonitor/start(queue:)``. They end with ``PathMonitor/cancel()``, those of
  /// ``PathMonitor/shared`` excepted, and with the task; until then an iteration keeps its monitor alive.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let iteration: PathIteration<NewestPath>

    fileprivate init(_ monitor: PathMonitor) {
      iteration = PathIteration(monitor, NewestPath())
    }

    /// The next path that differs from the one before; `nil` at the end.
    public mutating func next() async -> NetworkPath? {
      await next(isolation: nil)
    }

    /// The next path that differs from the one before; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
      await iteration.next(isolation: actor)
    }
  }

  /// Begins an iteration.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }
}

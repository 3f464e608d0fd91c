public import Dispatch
internal import PathModel
internal import SystemIO

/// Follows the network path, as Apple's Network framework names it. What ``PathMonitor`` promises holds here too.
///
/// Unlike Apple's, a cancelled monitor can be started again.
public final class NWPathMonitor: Sendable {
  private struct State {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
  }

  private let monitor: PathMonitor
  private let state = Guarded(State())

  private init(_ monitor: PathMonitor) {
    self.monitor = monitor
  }

  /// A monitor of the path over any interface.
  public convenience init() { self.init(PathMonitor()) }

  /// A monitor of the path through interfaces of a type.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(PathMonitor(requiredInterfaceType: requiredInterfaceType.interfaceType))
  }

  /// A monitor of the path through interfaces of all but some types.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(PathMonitor(prohibitedInterfaceTypes: prohibitedInterfaceTypes.map(\.interfaceType)))
  }

  /// A monitor of another source, such as a script of a test. Apple's has no such initialiser.
  public convenience init(source: PathSource) { self.init(PathMonitor(source: source)) }

  /// The newest path.
  public var currentPath: NWPath { NWPath(monitor.currentPath) }

  /// Where the handler is called; `nil` while the monitor is not started.
  public var queue: DispatchQueue? { state.withLock { $0.queue } }

  /// Called on the ``queue`` with the path, and with each change.
  @preconcurrency
  public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      let old = state.withLock { state in
        defer { state.handler = newValue }
        return state.handler
      }
      withExtendedLifetime(old) {}
      if let newValue {
        monitor.pathUpdateHandler = { newValue(NWPath($0)) }
      } else {
        monitor.pathUpdateHandler = nil
      }
    }
  }

  /// Begins to call ``pathUpdateHandler``, at first with the path as it is now.
  public func start(queue: DispatchQueue) {
    state.withLock { $0.queue = $0.queue ?? queue }
    monitor.start(queue: queue)
  }

  /// Ends the calls of the handler, and all iterations.
  public func cancel() {
    monitor.cancel()
    state.withLock { $0.queue = nil }
  }
}

extension NWPathMonitor: AsyncSequence {
  /// A path is an element.
  public typealias Element = NWPath
  /// Iterating never fails.
  public typealias Failure = Never

  /// The paths for one iteration, beginning with the one at its start.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: PathMonitor.AsyncIterator
    /// `for await path in NWPathMonitor()` has no other owner of the monitor.
    private let monitor: NWPathMonitor

    fileprivate init(_ monitor: NWPathMonitor) {
      self.monitor = monitor
      base = monitor.monitor.makeAsyncIterator()
    }

    /// The next path; `nil` at the end.
    public mutating func next() async -> NWPath? {
      await next(isolation: nil)
    }

    /// The next path; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
      await base.next(isolation: actor).map { NWPath($0) }
    }
  }

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }
}

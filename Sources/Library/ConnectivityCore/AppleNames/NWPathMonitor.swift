public import Dispatch
internal import PathModel
internal import SystemIO

/// Follows the network path, as Apple's Network framework names it. The promises of ``PathMonitor`` hold here, too.
///
/// Like Apple's, a started monitor lives until ``cancel()``, even if the program keeps no reference to it. A
/// ``PathMonitor`` stops when it is released. Unlike Apple's, a cancelled monitor can be started again.
public final class NWPathMonitor: Sendable {
  private let monitor: PathMonitor
  private let handler = Guarded<(@Sendable (NWPath) -> Void)?>(nil)

  private init(_ monitor: PathMonitor) {
    self.monitor = monitor
  }

  /// A monitor of the path over any interface.
  public convenience init() { self.init(PathMonitor()) }

  /// A monitor of the path through interfaces that use a type: a VPN over the type is one of them.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(PathMonitor(requiredInterfaceType: requiredInterfaceType.interfaceType))
  }

  /// A monitor of the path through interfaces that use none of some types: a VPN over one of them is left out.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(PathMonitor(prohibitedInterfaceTypes: prohibitedInterfaceTypes.map(\.interfaceType)))
  }

  /// A monitor of another source, such as a script of a test. Apple's has no such initialiser.
  public convenience init(source: PathSource) { self.init(PathMonitor(source: source)) }

  /// The newest path.
  public var currentPath: NWPath { NWPath(monitor.currentPath) }

  /// The queue that the handler is called on; `nil` while the monitor is not started.
  public var queue: DispatchQueue? { monitor.core.queue }

  /// Called on the ``queue`` with the path, and with each change.
  @preconcurrency
  public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { handler.copy }
    set {
      handler.exchange(\.self, for: newValue)
      if let newValue {
        monitor.pathUpdateHandler = { newValue(NWPath($0)) }
      } else {
        monitor.pathUpdateHandler = nil
      }
    }
  }

  /// Begins to call ``pathUpdateHandler``, first with the present path, and keeps the monitor alive until ``cancel()``.
  public func start(queue: DispatchQueue) {
    monitor.core.start(queue: queue, keeping: self)
  }

  /// Ends the calls of the handler and all iterations. The monitor no longer keeps itself alive.
  public func cancel() {
    monitor.cancel()
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

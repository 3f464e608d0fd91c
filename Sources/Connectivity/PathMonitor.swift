public import Dispatch
internal import PathEngine

/// Follows the network path of this machine, as `NWPathMonitor` does on Apple's platforms.
///
/// ```swift
/// let monitor = PathMonitor()
/// for await path in monitor {
///   print(path.status == .satisfied ? "online over \(path.interfaces[0].name)" : "offline")
/// }
/// ```
///
/// or with a handler, which is called on the queue:
///
/// ```swift
/// monitor.pathUpdateHandler = { path in print(path) }
/// monitor.start(queue: .main)
/// ```
///
/// The first path that is delivered is always the true one of that moment. After that each change is delivered
/// once it has settled; two equal paths are never delivered in a row. Who is slow gets the newest path and
/// skips those between.
///
/// All monitors of a process with the same probe addresses share one thread and one pair of kernel sockets.
///
/// A class guarded by locks and no actor, because `currentPath`, `start` and `cancel` are called synchronously
/// from any thread by code written for `NWPathMonitor`.
public final class PathMonitor: Sendable {
  private let core: MonitorCore

  /// A monitor that does nothing until it is started or iterated over.
  ///
  /// - Parameters:
  ///   - settle: How long a change must rest before it is delivered.
  ///   - probes: The destinations whose routes stand for the Internet; empty for the standard ones. On a network
  ///     without a way to the Internet, name an address that matters there.
  public init(settle: SettleTimes = .standard, probes: [IPAddress] = []) {
    core = MonitorCore(settle: settle, probes: probes.isEmpty ? .standard : ProbeAddresses(probes))
  }

  deinit {
    core.cancel()
  }

  /// The newest path; ``NetworkPath/unknown`` before the first is evaluated.
  public var currentPath: NetworkPath { core.currentPath }

  /// Called on the queue given to ``start(queue:)`` with the path, and with each change.
  ///
  /// A handler that is set while the monitor runs is called from the next update on.
  public var pathUpdateHandler: (@Sendable (NetworkPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// Begins to call ``pathUpdateHandler``, at first with the path as it is now.
  ///
  /// Calls while the monitor is started do nothing; after ``cancel()`` it starts afresh.
  ///
  /// - Parameter queue: Where the handler is called. It should be serial; a concurrent queue keeps the order too.
  public func start(queue: DispatchQueue) { core.start(queue: queue) }

  /// Ends the calls of the handler, and all iterations.
  ///
  /// No handler starts after this returns: it waits for one that runs on another thread. A handler may call it.
  public func cancel() { core.cancel() }
}

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

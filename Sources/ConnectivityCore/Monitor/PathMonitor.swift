public import Dispatch
public import PathModel

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
/// What is promised:
///
/// - The first update always comes, also when it says no more than what ``currentPath`` said before.
/// - Two equal paths are never delivered in a row. Each update comes in the order in which the kernel made it; who is
///   slow gets the newest path and skips those between, which shows as a gap in `sequence`.
/// - No handler starts after ``cancel()`` has returned. A handler may cancel or release the monitor. ``start(queue:)``
///   after ``cancel()`` starts afresh. Releasing the monitor stops it.
/// - Our own failure is never "offline": the last path stays, with the knowledge `stale`.
///
/// All monitors of a process with the same source and probes share one thread, one connection to the service for each
/// settle time, and one pair of kernel sockets while the kernel is asked. Those with another source or other probes
/// share nothing with them: a monitor that is ``PathSource/automatic`` and one that is ``PathSource/inProcess`` make two
/// threads. These threads only read changes: each handler is called on its queue.
///
/// No handler, continuation or other code of the program runs under a lock of the monitor: from each of them the monitor
/// may be used in any way, and it may itself be called under a lock of the program.
///
/// A class guarded by locks and no actor, because `currentPath`, `start` and `cancel` are called synchronously
/// from any thread by code written for `NWPathMonitor`.
public final class PathMonitor: Sendable {
  let core: MonitorCore
  /// Whether it is ``shared``, whose iterations nobody may end for all.
  private let isShared: Bool

  init(core: MonitorCore) {
    self.core = core
    isShared = false
  }

  init(_ source: PathSource, view: PathView, settle: Duration?, probes: [IPAddress], isShared: Bool = false) {
    self.isShared = isShared
    let chosen = probes.isEmpty ? nil : ProbeAddresses(probes)
    core = MonitorCore(provider: MonitorProvider(source: source, settle: settle, probes: chosen), view: view)
  }

  /// A monitor that does nothing until it is started or iterated over.
  ///
  /// - Parameters:
  ///   - source: Where the paths come from.
  ///   - settle: How long a change must rest before it is delivered; `nil` for what the administrator has configured,
  ///     or else 50 ms for a gain and 200 ms for a loss.
  ///   - probes: The destinations whose routes stand for the Internet; empty for the configured ones. On a network
  ///     without a way to the Internet, name an address that matters there. The service has its own: a monitor with
  ///     probes asks the kernel itself. With ``PathSource/service(socketPath:)`` it cannot: then they are not used, and
  ///     ``sourceError`` says so.
  public convenience init(source: PathSource = .automatic, settle: Duration? = nil, probes: [IPAddress] = []) {
    self.init(source, view: .whole, settle: settle, probes: probes)
  }

  /// A monitor of the path through interfaces that use a type, which other traffic need not take: a VPN over the type is
  /// one of them.
  ///
  /// - Parameters:
  ///   - requiredInterfaceType: The type.
  ///   - source: Where the paths come from.
  public convenience init(requiredInterfaceType: InterfaceType, source: PathSource = .automatic) {
    self.init(source, view: .required(requiredInterfaceType), settle: nil, probes: [])
  }

  /// A monitor of the path through interfaces that use none of some types: a VPN over one of the types is left out.
  ///
  /// - Parameters:
  ///   - prohibitedInterfaceTypes: The types that do not count.
  ///   - source: Where the paths come from.
  public convenience init(prohibitedInterfaceTypes: [InterfaceType], source: PathSource = .automatic) {
    self.init(source, view: .prohibited(Set(prohibitedInterfaceTypes)), settle: nil, probes: [])
  }

  /// A monitor of the path as far as it is as required.
  ///
  /// A requirement is a predicate: a path that does not meet it is delivered as unsatisfied, with the reason
  /// `requirementNotMet`; its interfaces stay. Only `via=` filters them.
  ///
  /// - Parameters:
  ///   - requirement: What the path must offer.
  ///   - source: Where the paths come from.
  public convenience init(requirement: PathRequirement, source: PathSource = .automatic) {
    self.init(source, view: .requirement(requirement), settle: nil, probes: [])
  }

  deinit {
    core.release()
  }

  /// Whether it shows all of the path, whatever it is like.
  package var showsWholePath: Bool { core.view == .whole }

  /// A monitor for the whole program: to read ``currentPath`` anywhere, to iterate over, and to post notifications.
  ///
  /// All parts of the program use it, so ``cancel()`` ends no iteration of it. It has one ``pathUpdateHandler`` and one
  /// ``savesData`` for all of them: a part that needs its own makes a monitor of its own, which costs next to nothing, as
  /// monitors of the same source share what is below them.
  public static let shared = PathMonitor(.automatic, view: .whole, settle: nil, probes: [], isShared: true)

  /// The newest path, to be read from any thread at any time.
  ///
  /// Before the first evaluation it is `NetworkPath.unknown`. While the source cannot be asked, and while the monitor
  /// is not started, the last path stays with the knowledge `stale`.
  public var currentPath: NetworkPath { core.currentPath }

  /// Whether this program wants to use little data, as a user may have told it to: then every path of the monitor is
  /// constrained, whatever it costs.
  ///
  /// It may be set at any time; a path that becomes another by it is an update. It concerns nobody else: an
  /// administrator has whole machines save data with `Constrained=yes` or `pathctl override`.
  public var savesData: Bool {
    get { core.savesData }
    set { core.savesData = newValue }
  }

  /// Why the source does not work, or not as it should; `nil` when nothing is wrong.
  ///
  /// With the source ``PathSource/automatic`` the path can be known all the same: what listens at the service's socket
  /// may be broken, and the kernel is asked instead. So it can where a monitor of the
  /// service alone names probes, which are not used. While the monitor follows nothing there is no error.
  public var sourceError: PathSourceError? { core.failure }

  /// Called on the queue given to ``start(queue:)`` with the path, and with each change.
  ///
  /// A handler that replaces another is called from the next update on.
  public var pathUpdateHandler: (@Sendable (NetworkPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// Begins to call ``pathUpdateHandler``, at first with the path as it is now.
  ///
  /// Calls while the monitor is started do nothing; after ``cancel()`` it starts afresh.
  ///
  /// - Parameter queue: The queue that the handler is called on. A handler may take its time, which delays no other. On a
  ///   concurrent queue too the calls come one after the other, also with those from before a ``cancel()``: when a
  ///   handler starts its monitor again, the next call comes after its end.
  public func start(queue: DispatchQueue) { core.start(queue: queue) }

  /// Ends the calls of the handler, and all iterations; those of ``shared`` go on, as they belong to others.
  ///
  /// No handler starts after this returns. A handler that runs on another thread is waited for, but not for longer
  /// than a second, as it may wait for the caller in turn. A handler may call this.
  public func cancel() { core.cancel(endingIterations: !isShared) }

  /// The path once it is known: never the value that stands for "not known yet".
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the monitor is.
  public var firstPath: NetworkPath {
    get async throws {
      for await path in self where path.knowledge == .known { return path }
      throw CancellationError()
    }
  }

  /// Calls the observer with each path, in order and one at a time, as long as the monitor lives. The thread that brings a
  /// path calls it, so that it must not wait.
  ///
  /// - Parameters:
  ///   - observer: Called with the present path too, if there is one.
  ///   - whenReleased: Called when the monitor ends before the observation.
  /// - Returns: What ends it. A call that is under way goes on; none starts after.
  package func observe(
    _ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    core.observe(observer, whenReleased: whenReleased)
  }
}

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
/// The monitor promises:
///
/// - The first update always comes, even if it equals the value that ``currentPath`` had before.
/// - Two equal paths are never delivered in a row. Updates come in the order in which the kernel made the changes. A
///   slow reader gets the newest path and skips those between, which shows as a gap in `sequence`.
/// - No handler starts after ``cancel()`` has returned. A handler may cancel or release the monitor. ``start(queue:)``
///   after ``cancel()`` starts it anew. Releasing the monitor stops it.
/// - A failure of PathMonitor itself is never "offline": the last path stays, with the knowledge `stale`.
///
/// All monitors of a process that follow the path in the same way share one thread. They also share one connection to
/// the service for each settle time, and one pair of kernel sockets while the kernel is asked. A monitor that is
/// ``PathSource/automatic`` and one that is ``PathSource/inProcess`` make two threads, unless both have the same probes
/// of their own: then both ask the kernel. These threads only read changes: each handler is called on its queue.
///
/// The monitor holds no lock while it runs a handler, a continuation or other code of the program. This code may use
/// the monitor in any way. The program may also hold a lock of its own when it calls the monitor.
///
/// The monitor is a class guarded by locks and not an actor, because code written for `NWPathMonitor` calls
/// `currentPath`, `start` and `cancel` synchronously from any thread.
public final class PathMonitor: Sendable {
  let core: MonitorCore
  /// Whether this is ``shared``, whose iterations ``cancel()`` does not end.
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
  ///   - source: The origin of the paths.
  ///   - settle: How long a change must rest before it is delivered; `nil` for the configured times, or else 50 ms for
  ///     a gain and 200 ms for a loss.
  ///   - probes: The sample addresses, whose routes stand for the Internet; empty for the configured ones. On a network
  ///     without a way to the Internet, name an address that matters there. The service has its own probes, so a
  ///     monitor with probes asks the kernel itself. With ``PathSource/service(socketPath:)`` it cannot: the probes are
  ///     not used, and ``sourceError`` reports this.
  public convenience init(source: PathSource = .automatic, settle: Duration? = nil, probes: [IPAddress] = []) {
    self.init(source, view: .whole, settle: settle, probes: probes)
  }

  /// A monitor of the path through interfaces that use a type, including a VPN over the type. Other traffic may take
  /// other interfaces.
  ///
  /// - Parameters:
  ///   - requiredInterfaceType: The type.
  ///   - source: The origin of the paths.
  public convenience init(requiredInterfaceType: InterfaceType, source: PathSource = .automatic) {
    self.init(source, view: .required(requiredInterfaceType), settle: nil, probes: [])
  }

  /// A monitor of the path through interfaces that use none of some types: a VPN over one of the types is left out.
  ///
  /// - Parameters:
  ///   - prohibitedInterfaceTypes: The types to leave out.
  ///   - source: The origin of the paths.
  public convenience init(prohibitedInterfaceTypes: [InterfaceType], source: PathSource = .automatic) {
    self.init(source, view: .prohibited(Set(prohibitedInterfaceTypes)), settle: nil, probes: [])
  }

  /// A monitor that checks each path against a requirement.
  ///
  /// A path that does not meet the requirement is delivered as unsatisfied, with the reason `requirementNotMet`. Its
  /// interfaces stay: only `via=` filters them.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path must meet.
  ///   - source: The origin of the paths.
  public convenience init(requirement: PathRequirement, source: PathSource = .automatic) {
    self.init(source, view: .requirement(requirement), settle: nil, probes: [])
  }

  deinit {
    core.release()
  }

  /// Whether the monitor shows the whole path, without a requirement or an interface type.
  package var showsWholePath: Bool { core.view == .whole }

  /// A monitor for the whole program, to read ``currentPath`` anywhere, to iterate over and to post notifications.
  ///
  /// All parts of the program use it, so ``cancel()`` ends no iteration of it. They also share its
  /// ``pathUpdateHandler`` and its ``savesData``. A part that needs its own makes another monitor, which is cheap:
  /// monitors of the same source share one thread.
  public static let shared = PathMonitor(.automatic, view: .whole, settle: nil, probes: [], isShared: true)

  /// The newest path, to be read from any thread at any time.
  ///
  /// Before the first evaluation it is `NetworkPath.unknown`. While the source cannot be asked, and while the monitor
  /// is not started, the last path stays with the knowledge `stale`.
  public var currentPath: NetworkPath { core.currentPath }

  /// Whether this program wants to use little data, for example because its user asked for that. If so, every path of
  /// the monitor is constrained, whatever it costs.
  ///
  /// It may be set at any time. If the path changes because of it, that is an update. It affects this monitor alone: an
  /// administrator makes a whole machine save data with `Constrained=yes` or `pathctl override`.
  public var savesData: Bool {
    get { core.savesData }
    set { core.savesData = newValue }
  }

  /// The reason why the source does not work, or not as it should; `nil` when nothing is wrong.
  ///
  /// The path can be known in spite of an error. With ``PathSource/automatic``, the program at the service's socket may
  /// be broken, and the kernel is asked instead. If a monitor of the service alone names probes, it gets the path, but
  /// the probes are not used. While the monitor follows nothing, there is no error.
  public var sourceError: PathSourceError? { core.failure }

  /// Called on the queue given to ``start(queue:)`` with the path, and with each change.
  ///
  /// A handler that replaces another is called from the next update on.
  public var pathUpdateHandler: (@Sendable (NetworkPath) -> Void)? {
    get { core.handler }
    set { core.handler = newValue }
  }

  /// Begins to call ``pathUpdateHandler``, first with the present path.
  ///
  /// Calls while the monitor is started do nothing; after ``cancel()`` it starts anew.
  ///
  /// - Parameter queue: The queue that the handler is called on. A slow handler delays no other one. The calls come one
  ///   after the other, even on a concurrent queue. This includes the calls from before a ``cancel()``: when a handler
  ///   starts its monitor again, the next call comes after the handler's end.
  public func start(queue: DispatchQueue) { core.start(queue: queue) }

  /// Ends the calls of the handler, and all iterations. The iterations of ``shared`` go on, because other parts use
  /// them.
  ///
  /// No handler starts after this returns. If a handler runs on another thread, this waits for its end, but for no
  /// longer than a second, because the handler may wait for the caller. A handler may call this.
  public func cancel() { core.cancel(endingIterations: !isShared) }

  /// The path once it is known: never the value that stands for "not known yet".
  ///
  /// - Throws: `CancellationError` when the task or the monitor is cancelled.
  public var firstPath: NetworkPath {
    get async throws {
      for await path in self where path.knowledge == .known { return path }
      throw CancellationError()
    }
  }

  /// Calls the observer with each path, in order and one at a time, as long as the monitor lives. The thread that
  /// delivers the path calls the observer, so the observer must not wait.
  ///
  /// - Parameters:
  ///   - observer: Called with the present path too, if there is one.
  ///   - whenReleased: Called when the monitor ends before the observation.
  /// - Returns: A closure that ends the observation. A call that is under way goes on; none starts after.
  package func observe(
    _ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    core.observe(observer, whenReleased: whenReleased)
  }
}

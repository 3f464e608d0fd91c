internal import Connectivity
internal import ConnectivityCore
public import Dispatch
public import Foundation
internal import SystemIO

/// The reasons why a `Reachability` cannot be made or started. None of them is thrown here: the cases are for code that
/// names them.
public enum ReachabilityError: Error {
  /// There is no such host.
  case failedToCreateWithHostname(String, Int32)
  /// No callback can be set.
  case unableToSetCallback(Int32)
  /// There is no such queue.
  case unableToSetDispatchQueue(Int32)
  /// The state cannot be read.
  case unableToGetFlags(Int32)
}

extension Notification.Name {
  /// Posted when the connection has changed; the object is the `Reachability`.
  public static let reachabilityChanged = Notification.Name("reachabilityChanged")
}

/// Reports whether the network can be reached, with the interface of the library of the same name, so that code written
/// for that library compiles with Connectivity. New code should use `PathMonitor`.
///
/// - Callbacks and notifications come on the notification queue, first at ``startNotifier()`` and then at each change.
/// - A wired connection is reported as `wifi`: the word means "not cellular".
/// - With a host name, the host must also have an address, and the kernel a route there. No packet is sent to the host.
///   A host that is not reachable is asked for again when the path changes, and every now and then.
/// - An unknown path is never reported as a lost connection: there are no callbacks until the path is known, and
///   ``connection`` is `wifi` meanwhile.
public final class Reachability: Sendable {
  /// Called when the network has become reachable.
  public typealias NetworkReachable = (Reachability) -> Void
  /// Called when the network has become unreachable.
  public typealias NetworkUnreachable = (Reachability) -> Void

  fileprivate struct State {
    var whenReachable: NetworkReachable?
    var whenUnreachable: NetworkUnreachable?
    var allowsCellularConnection = true
    var notificationCenter = NotificationCenter.default
    /// The monitor of the notifier; `nil` while it is stopped. Each start has its own monitor, so that a start and a
    /// stop from two threads do not interfere.
    var monitor: PathMonitor?
    /// Counts the starts and stops, so that work scheduled for an earlier one is ignored.
    var run = 0
    /// The newest path of this run.
    var path: NetworkPath?
    var host = HostInquiry()
    var reported: Connection?
  }

  /// How long ``connection`` waits for a path, and for a host.
  private static let (pathPatience, hostPatience) = (DispatchTimeInterval.seconds(1), DispatchTimeInterval.seconds(5))

  private let source: PathSource
  private let hostname: String?
  private let asking: HostAsking
  /// The queue of all decisions, which runs them in order.
  private let queue: DispatchQueue
  private let notificationQueue: DispatchQueue?
  private let state = Guarded(State())

  init(
    hostname: String?, queueQoS: DispatchQoS, targetQueue: DispatchQueue?, notificationQueue: DispatchQueue?,
    source: PathSource = .automatic, asking: HostAsking = .system
  ) {
    self.source = source
    self.hostname = hostname
    self.asking = asking
    self.notificationQueue = notificationQueue
    queue = DispatchQueue(label: "io.pathmonitor.reachability", qos: queueQoS, target: targetQueue)
  }

  /// Reports whether a host can be reached, as far as this machine can know: there is a path, the name has an address,
  /// and the kernel has a route there.
  ///
  /// - Parameters:
  ///   - hostname: The name or address.
  ///   - queueQoS: The priority of the work.
  ///   - targetQueue: The queue that the work is done on.
  ///   - notificationQueue: The queue for callbacks and notifications; `nil` for the queue of the work.
  public convenience init(
    hostname: String, queueQoS: DispatchQoS = .default, targetQueue: DispatchQueue? = nil,
    notificationQueue: DispatchQueue? = .main
  ) throws {
    self.init(
      hostname: hostname, queueQoS: queueQoS, targetQueue: targetQueue, notificationQueue: notificationQueue,
      source: .automatic)
  }

  /// Reports whether there is a path.
  ///
  /// - Parameters:
  ///   - queueQoS: The priority of the work.
  ///   - targetQueue: The queue that the work is done on.
  ///   - notificationQueue: The queue for callbacks and notifications; `nil` for the queue of the work.
  public convenience init(
    queueQoS: DispatchQoS = .default, targetQueue: DispatchQueue? = nil, notificationQueue: DispatchQueue? = .main
  ) throws {
    self.init(
      hostname: nil, queueQoS: queueQoS, targetQueue: targetQueue, notificationQueue: notificationQueue,
      source: .automatic)
  }

  // MARK: Callbacks and notifications

  /// Called when the network has become reachable, and at the start when it is.
  public var whenReachable: NetworkReachable? {
    get { state.withLock { $0.whenReachable } }
    set { state.exchange(\.whenReachable, for: newValue) }
  }

  /// Called when the network has become unreachable, and at the start when it is.
  public var whenUnreachable: NetworkUnreachable? {
    get { state.withLock { $0.whenUnreachable } }
    set { state.exchange(\.whenUnreachable, for: newValue) }
  }

  /// Whether a mobile network counts as reachable.
  public var allowsCellularConnection: Bool {
    get { state.withLock { $0.allowsCellularConnection } }
    set { state.withLock { $0.allowsCellularConnection = newValue } }
  }

  /// The center to which `reachabilityChanged` is posted.
  public var notificationCenter: NotificationCenter {
    get { state.withLock { $0.notificationCenter } }
    set { state.exchange(\.notificationCenter, for: newValue) }
  }

  // MARK: The state

  /// The present connection.
  ///
  /// While the notifier is not started, this asks for the path, which takes a moment, and for the host. An answer for
  /// the host takes as long as the name servers do, but five seconds at most. A path or host that is still unknown then
  /// counts as reachable.
  public var connection: Connection {
    let (monitor, answer) = state.withLock { ($0.monitor, $0.monitor == nil ? nil : $0.host.answer) }
    var path = monitor?.currentPath ?? .unknown
    if path.knowledge == .unknown { path = presentPath(of: monitor ?? PathMonitor(source: source)) }
    guard let hostname, path.status == .satisfied, path.knowledge != .unknown else {
      return connection(over: path, host: nil)
    }
    return connection(over: path, host: answer ?? asking.answer(for: hostname, within: Self.hostPatience))
  }

  /// Whether the network is reachable.
  @available(*, deprecated, message: "Use `connection != .unavailable`")
  public var isReachable: Bool { connection != .unavailable }

  /// Whether the network is reached over a mobile network.
  @available(*, deprecated, message: "Use `connection == .cellular`")
  public var isReachableViaWWAN: Bool { connection == .cellular }

  /// Whether the network is reached over anything but a mobile network.
  @available(*, deprecated, message: "Use `connection == .wifi`")
  public var isReachableViaWiFi: Bool { connection == .wifi }

  /// The connection that follows from a path and the answer for the host.
  private func connection(over path: NetworkPath, host: HostInquiry.Answer?) -> Connection {
    // PathMonitor does not know the path, which does not mean that the network is lost.
    if path.knowledge == .unknown { return .wifi }
    guard path.status == .satisfied, host != .unreachable else { return .unavailable }
    guard path.usesInterfaceType(.cellular) else { return .wifi }
    return allowsCellularConnection ? .cellular : .unavailable
  }

  /// Asks for the path, and waits a moment at most.
  private func presentPath(of monitor: PathMonitor) -> NetworkPath {
    let path = Guarded(NetworkPath.unknown)
    let isThere = DispatchSemaphore(value: 0)
    let end = monitor.observe { next in
      guard next.knowledge != .unknown else { return }
      path.withLock { $0 = next }
      isThere.signal()
    }
    _ = isThere.wait(timeout: .now() + Self.pathPatience)
    end()
    return path.copy
  }

  /// The present connection, in words.
  public var description: String { connection.description }

  // MARK: The notifier

  /// Begins to report the connection: first the present one, then each change. A second start changes nothing.
  public func startNotifier() throws {
    let monitor = PathMonitor(source: source)
    let run: Int? = state.withLock { state in
      guard state.monitor == nil else { return nil }
      state.monitor = monitor
      state.run += 1
      (state.path, state.host, state.reported) = (nil, HostInquiry(), nil)
      return state.run
    }
    guard let run else { return }
    monitor.pathUpdateHandler = { [weak self] in self?.pathChanged($0, run) }
    // If another thread has stopped the notifier meanwhile, this function has the last reference to the monitor and
    // ends it.
    monitor.start(queue: queue)
  }

  /// Stops the reports. If this is called on the notification queue, no callback starts after it.
  public func stopNotifier() {
    let monitor = state.withLock { state in
      state.run += 1
      defer { state.monitor = nil }
      return state.monitor
    }
    monitor?.cancel()
  }

  /// Handles a path of the monitor.
  private func pathChanged(_ path: NetworkPath, _ run: Int) {
    if path.knowledge == .unknown { return }
    proceed(run) { state in
      state.path = path
      return state.host.pathChanged(isSatisfied: hostname != nil && path.status == .satisfied)
    }
  }

  /// Handles an event of a run, performs the action that the host needs, and reports a new connection. Runs on the
  /// queue.
  private func proceed(_ run: Int, _ event: (inout State) -> HostInquiry.Action) {
    let action: HostInquiry.Action? = state.withLock { state in
      guard state.run == run else { return nil }
      return event(&state)
    }
    guard let action else { return }
    perform(action, run)
    let (path, host) = state.withLock { ($0.path, $0.host) }
    // A host is known once it has been asked for on this path.
    guard let path, hostname == nil || path.status != .satisfied || host.isAnswered else { return }
    let connection = connection(over: path, host: host.answer)
    let isNew = state.withLock { state in
      guard state.run == run, state.reported != connection else { return false }
      state.reported = connection
      return true
    }
    guard isNew else { return }
    let report: @Sendable () -> Void = { [weak self] in self?.report(connection, run) }
    if let notificationQueue { notificationQueue.async(execute: report) } else { report() }
  }

  private func perform(_ action: HostInquiry.Action, _ run: Int) {
    guard let hostname else { return }
    let queue = queue
    switch action {
    case .nothing: break
    case .ask(let question):
      // A thread that waits for name servers holds no strong reference to this object.
      let receive: @Sendable (HostInquiry.Answer) -> Void = { [weak self] answer in
        queue.async { [weak self] in self?.proceed(run) { $0.host.receive(answer, to: question) } }
      }
      do { try asking.inBackground { [asking] in receive(asking.answer(hostname)) } } catch { receive(.unknown) }
    case .askAfter(let pause, let question):
      asking.after(pause) { [weak self] in
        queue.async { [weak self] in self?.proceed(run) { $0.host.timeIsUp(question) } }
      }
    }
  }

  private func report(_ connection: Connection, _ run: Int) {
    let (callback, center): (NetworkReachable?, NotificationCenter?) = state.withLock { state in
      guard state.run == run else { return (nil, nil) }
      return (connection == .unavailable ? state.whenUnreachable : state.whenReachable, state.notificationCenter)
    }
    ForeignCode.run {
      callback?(self)
      center?.post(name: .reachabilityChanged, object: self)
    }
  }
}

extension Reachability: CustomStringConvertible {}

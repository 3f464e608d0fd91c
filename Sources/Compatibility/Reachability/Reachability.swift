internal import Connectivity
internal import ConnectivityCore
public import Dispatch
public import Foundation
internal import SystemIO

/// Why a `Reachability` cannot be made or started. Nothing here throws one: the cases are for code that names them.
public enum ReachabilityError: Error {
  /// There is no such host.
  case failedToCreateWithHostname(String, Int32)
  /// Nobody can be told.
  case unableToSetCallback(Int32)
  /// There is no such queue.
  case unableToSetDispatchQueue(Int32)
  /// The state cannot be asked for.
  case unableToGetFlags(Int32)
}

extension Notification.Name {
  /// Posted when the connection has changed; the object is the `Reachability`.
  public static let reachabilityChanged = Notification.Name("reachabilityChanged")
}

/// Tells whether the network can be reached, with the interface of the library of that name, so that code written for
/// it compiles with Connectivity. New code is better off with `PathMonitor`.
///
/// - Callbacks and notifications come on the notification queue, first at ``startNotifier()`` and then at each change.
/// - A wired connection counts as `wifi`: the word stands for "not cellular".
/// - With a host name the host must also have an address. No packet is sent to it.
public final class Reachability: Sendable {
  /// Called when the network has become reachable.
  public typealias NetworkReachable = (Reachability) -> Void
  /// Called when the network has become unreachable.
  public typealias NetworkUnreachable = (Reachability) -> Void

  /// What the network is reached over.
  public enum Connection: CustomStringConvertible, Sendable {
    /// It is not.
    case unavailable
    /// Anything but a mobile network.
    case wifi
    /// A mobile network.
    case cellular

    /// The former name of `unavailable`.
    @available(*, deprecated, renamed: "unavailable")
    public static var none: Connection { .unavailable }

    /// The connection as people read it.
    public var description: String {
      switch self {
      case .unavailable: "No Connection"
      case .wifi: "WiFi"
      case .cellular: "Cellular"
      }
    }
  }

  fileprivate struct State {
    var whenReachable: NetworkReachable?
    var whenUnreachable: NetworkUnreachable?
    var allowsCellularConnection = true
    var notificationCenter = NotificationCenter.default
    /// Counts the starts: what was scheduled for an earlier one is void.
    var run = 0
    var isRunning = false
    /// Whether the host has an address, as far as it has been asked for.
    var isHostKnown = true
    var told: Connection?
  }

  private let monitor: PathMonitor
  private let hostname: String?
  private let hasAddress: @Sendable (String) -> Bool
  private let queue: DispatchQueue
  private let notificationQueue: DispatchQueue?
  private let state = Guarded(State())

  init(
    hostname: String?, queueQoS: DispatchQoS, targetQueue: DispatchQueue?, notificationQueue: DispatchQueue?,
    source: PathSource = .automatic, hasAddress: @escaping @Sendable (String) -> Bool = Reachability.hasAddress
  ) {
    monitor = PathMonitor(source: source)
    self.hostname = hostname
    self.hasAddress = hasAddress
    self.notificationQueue = notificationQueue
    queue = DispatchQueue(label: "uk.co.ashleymills.reachability", qos: queueQoS, target: targetQueue)
  }

  /// Tells whether a host can be reached, as far as this machine can say: there is a path, and the name has an address.
  ///
  /// - Parameters:
  ///   - hostname: The name or address.
  ///   - queueQoS: How urgent the work is.
  ///   - targetQueue: Where the work is done.
  ///   - notificationQueue: Where callbacks and notifications come; `nil` for the queue of the work.
  public convenience init(
    hostname: String, queueQoS: DispatchQoS = .default, targetQueue: DispatchQueue? = nil,
    notificationQueue: DispatchQueue? = .main
  ) throws {
    self.init(
      hostname: hostname, queueQoS: queueQoS, targetQueue: targetQueue, notificationQueue: notificationQueue,
      source: .automatic)
  }

  /// Tells whether there is a path.
  ///
  /// - Parameters:
  ///   - queueQoS: How urgent the work is.
  ///   - targetQueue: Where the work is done.
  ///   - notificationQueue: Where callbacks and notifications come; `nil` for the queue of the work.
  public convenience init(
    queueQoS: DispatchQoS = .default, targetQueue: DispatchQueue? = nil, notificationQueue: DispatchQueue? = .main
  ) throws {
    self.init(
      hostname: nil, queueQoS: queueQoS, targetQueue: targetQueue, notificationQueue: notificationQueue,
      source: .automatic)
  }

  deinit {
    monitor.cancel()
  }

  private static func hasAddress(_ host: String) -> Bool {
    (try? HostLookup.addresses(of: host).isEmpty) == false
  }

  // MARK: What is told to whom

  /// Called when the network has become reachable, and at the start when it is.
  public var whenReachable: NetworkReachable? {
    get { state.withLock { $0.whenReachable } }
    set { exchange(\.whenReachable, newValue) }
  }

  /// Called when the network has become unreachable, and at the start when it is.
  public var whenUnreachable: NetworkUnreachable? {
    get { state.withLock { $0.whenUnreachable } }
    set { exchange(\.whenUnreachable, newValue) }
  }

  /// Whether a mobile network counts as reachable.
  public var allowsCellularConnection: Bool {
    get { state.withLock { $0.allowsCellularConnection } }
    set { state.withLock { $0.allowsCellularConnection = newValue } }
  }

  /// Where `reachabilityChanged` is posted.
  public var notificationCenter: NotificationCenter {
    get { state.withLock { $0.notificationCenter } }
    set { exchange(\.notificationCenter, newValue) }
  }

  /// What the old value holds may end with it, and come back here: not under the lock.
  private func exchange<Value>(_ key: WritableKeyPath<State, Value>, _ value: Value) {
    let old = state.withLock { state in
      defer { state[keyPath: key] = value }
      return state[keyPath: key]
    }
    withExtendedLifetime(old) {}
  }

  // MARK: The state

  /// What the network is reached over now.
  ///
  /// While the notifier is not started the path is asked for anew, which takes a moment.
  public var connection: Connection {
    let isRunning = state.withLock { $0.isRunning }
    let current = monitor.currentPath
    let path = isRunning && current.knowledge != .unknown ? current : presentPath()
    return state.withLock { $0.connection(of: path) }
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

  /// Asks for the path, and waits a second at most.
  private func presentPath() -> NetworkPath {
    let path = Guarded(NetworkPath.unknown)
    let isThere = DispatchSemaphore(value: 0)
    let end = monitor.observe { next in
      guard next.knowledge != .unknown else { return }
      path.withLock { $0 = next }
      isThere.signal()
    }
    _ = isThere.wait(timeout: .now() + 1)
    end()
    return path.withLock { $0 }
  }

  /// What the network is reached over, in words.
  public var description: String { connection.description }

  // MARK: The notifier

  /// Begins to tell: the connection as it is, then each change. A second start changes nothing.
  public func startNotifier() throws {
    let run: Int? = state.withLock { state in
      if state.isRunning { return nil }
      state.isRunning = true
      state.run += 1
      state.told = nil
      return state.run
    }
    guard let run else { return }
    monitor.pathUpdateHandler = { [weak self] in self?.take($0, run) }
    monitor.start(queue: queue)
  }

  /// Stops telling: no callback starts after this, on the notification queue.
  public func stopNotifier() {
    state.withLock { state in
      state.isRunning = false
      state.run += 1
    }
    monitor.cancel()
  }

  /// On the queue of the work, where a lookup may wait.
  private func take(_ path: NetworkPath, _ run: Int) {
    if path.knowledge == .unknown { return }
    let isHostKnown = path.status != .satisfied || hostname.map(hasAddress) ?? true
    let connection: Connection? = state.withLock { state in
      guard state.run == run else { return nil }
      state.isHostKnown = isHostKnown
      let connection = state.connection(of: path)
      guard connection != state.told else { return nil }
      state.told = connection
      return connection
    }
    guard let connection else { return }
    let tell: @Sendable () -> Void = { [weak self] in self?.tell(connection, run) }
    if let notificationQueue { notificationQueue.async(execute: tell) } else { tell() }
  }

  private func tell(_ connection: Connection, _ run: Int) {
    let (callback, center): (NetworkReachable?, NotificationCenter?) = state.withLock { state in
      guard state.run == run else { return (nil, nil) }
      return (connection == .unavailable ? state.whenUnreachable : state.whenReachable, state.notificationCenter)
    }
    callback?(self)
    center?.post(name: .reachabilityChanged, object: self)
  }
}

extension Reachability: CustomStringConvertible {}

extension Reachability.State {
  /// What a path stands for.
  fileprivate func connection(of path: NetworkPath) -> Reachability.Connection {
    guard path.status == .satisfied, isHostKnown else { return .unavailable }
    guard path.usesInterfaceType(.cellular) else { return .wifi }
    return allowsCellularConnection ? .cellular : .unavailable
  }
}

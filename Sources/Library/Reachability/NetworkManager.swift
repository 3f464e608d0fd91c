internal import Connectivity
internal import Dispatch

/// The one `Reachability` of a program, with helpers that check the state once.
///
/// A helper runs its closure if the state that it names holds at the moment of the call, and never later. One of
/// ``isReachable(completed:)`` and ``isUnreachable(completed:)`` always runs its closure, because an unknown path
/// counts as reachable. For events, use ``Reachability/whenReachable``, or the notification `reachabilityChanged`,
/// which can have any number of observers.
public final class NetworkManager: Sendable {
  /// The one instance of the program, whose notifier is started.
  public static let sharedInstance = NetworkManager()

  private let shared: Reachability

  private init() {
    shared = Reachability(hostname: nil, queueQoS: .default, targetQueue: nil, notificationQueue: .main)
    try? shared.startNotifier()
  }

  init(_ reachability: Reachability) {
    shared = reachability
  }

  /// The object that reports the state and its changes.
  public var reachability: Reachability { shared }

  /// Stops the reports of changes.
  public static func stopNotifier() { sharedInstance.shared.stopNotifier() }

  /// Runs the closure if the network is reachable now.
  public static func isReachable(completed: (NetworkManager) -> Void) {
    sharedInstance.run(completed, if: { $0 != .unavailable })
  }

  /// Runs the closure if the network is unreachable now.
  public static func isUnreachable(completed: (NetworkManager) -> Void) {
    sharedInstance.run(completed, if: { $0 == .unavailable })
  }

  /// Runs the closure if the network is reached over a mobile network now.
  public static func isReachableViaWWAN(completed: (NetworkManager) -> Void) {
    sharedInstance.run(completed, if: { $0 == .cellular })
  }

  /// Runs the closure if the network is reached over anything but a mobile network now.
  public static func isReachableViaWiFi(completed: (NetworkManager) -> Void) {
    sharedInstance.run(completed, if: { $0 == .wifi })
  }

  func run(_ body: (NetworkManager) -> Void, if condition: (Reachability.Connection) -> Bool) {
    if condition(shared.connection) { body(self) }
  }
}

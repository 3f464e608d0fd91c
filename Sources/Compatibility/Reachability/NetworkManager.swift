internal import Connectivity
internal import Dispatch

/// The one `Reachability` of a program, with helpers that ask once.
///
/// A helper runs its closure when the state is the one it is named for at that moment, and never later. Of
/// ``isReachable(completed:)`` and ``isUnreachable(completed:)`` one always runs its closure: a path that this machine
/// cannot find out counts as reachable. For events use
/// ``Reachability/whenReachable``, or the notification `reachabilityChanged`, which any number of observers can have.
public final class NetworkManager: Sendable {
  /// The one of the program; its notifier is started.
  public static let sharedInstance = NetworkManager()

  private let shared: Reachability

  private init() {
    shared = Reachability(hostname: nil, queueQoS: .default, targetQueue: nil, notificationQueue: .main)
    try? shared.startNotifier()
  }

  init(_ reachability: Reachability) {
    shared = reachability
  }

  /// What tells the state and its changes.
  public var reachability: Reachability { shared }

  /// Stops telling changes.
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

  /// Runs the closure if the network is reached over anything else now.
  public static func isReachableViaWiFi(completed: (NetworkManager) -> Void) {
    sharedInstance.run(completed, if: { $0 == .wifi })
  }

  func run(_ body: (NetworkManager) -> Void, if condition: (Reachability.Connection) -> Bool) {
    if condition(shared.connection) { body(self) }
  }
}

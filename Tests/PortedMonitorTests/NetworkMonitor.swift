// A singleton as in programs for Apple's platforms. The only change for Linux is the import of Connectivity, in place
// of `import Network`.
import Connectivity
import Foundation

extension Notification.Name {
  static let connectivityStatus = Notification.Name(rawValue: "connectivityStatusChanged")
}

extension NWInterface.InterfaceType: CaseIterable {
  /// The first that is used counts.
  public static var allCases: [NWInterface.InterfaceType] = [
    .other,
    .wifi,
    .cellular,
    .loopback,
    .wiredEthernet,
  ]
}

final class NetworkMonitor {
  static let shared = NetworkMonitor()

  private let queue = DispatchQueue(label: "NetworkConnectivityMonitor")
  private let monitor: NWPathMonitor

  private(set) var isConnected = false
  private(set) var isExpensive = false
  private(set) var currentConnectionType: NWInterface.InterfaceType?

  private init() {
    monitor = NWPathMonitor()
  }

  func startMonitoring() {
    monitor.pathUpdateHandler = { [weak self] path in
      self?.isConnected = path.status != .unsatisfied
      self?.isExpensive = path.isExpensive
      self?.currentConnectionType = NWInterface.InterfaceType.allCases.filter { path.usesInterfaceType($0) }.first
      NotificationCenter.default.post(name: .connectivityStatus, object: nil)
    }
    monitor.start(queue: queue)
  }

  func stopMonitoring() {
    monitor.cancel()
  }
}

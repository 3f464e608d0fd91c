// Files on Apple's platforms often import Network alone. The only change for Linux is that import, and no other may be
// necessary: this file, which is only compiled, shows that dispatch queues come with it, and that programs may add to
// the types.
import Connectivity

extension NWInterface.InterfaceType: CaseIterable {
  /// In the order in which a program prefers them.
  public static var allCases: [NWInterface.InterfaceType] = [.other, .wifi, .cellular, .loopback, .wiredEthernet]
}

final class QueueMonitor {
  private let monitor = NWPathMonitor()
  private let queue = DispatchQueue(label: "monitor", qos: .utility)

  func start(_ onChange: @escaping (Bool) -> Void) {
    monitor.pathUpdateHandler = { path in
      let isConnected = path.status == .satisfied
      DispatchQueue.main.async { onChange(isConnected) }
    }
    monitor.start(queue: queue)
  }
}

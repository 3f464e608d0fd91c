// Files on Apple's platforms often import Network alone. Nothing is changed for Linux but that import, and it must stay
// the only one: this file shows that dispatch queues come with it.
import Connectivity

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

  func stop() {
    queue.sync { monitor.cancel() }
  }
}

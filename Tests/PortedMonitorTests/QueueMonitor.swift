// Files on Apple's platforms often import Network alone. The only change for Linux is that import, and no other may be
// necessary: this file shows that dispatch queues come with it.
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

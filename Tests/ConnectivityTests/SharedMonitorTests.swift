import Connectivity
import Foundation
import SystemIO
import Testing

/// The monitor that all parts of a program share: each test has a process of its own.
@Suite("The shared monitor")
struct SharedMonitorTests {
  @Test func `cancelling it ends the calls of its handler and no iteration, and it can be started again`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let queue = DispatchQueue(label: "handler")
      let (calls, called) = (Guarded(0), DispatchSemaphore(value: 0))
      let monitor = PathMonitor.shared
      monitor.pathUpdateHandler = { _ in
        calls.withLock { $0 += 1 }
        called.signal()
      }
      // The change below reaches the iteration, which still follows.
      var iterator = monitor.makeAsyncIterator()
      _ = await iterator.next()
      monitor.start(queue: queue)
      called.wait()
      monitor.cancel()
      monitor.savesData = true
      let second = await iterator.next()
      precondition(second?.isConstrained == true, "\(second as Any)")
      queue.sync {}
      precondition(calls.copy == 1, "\(calls.copy)")
      monitor.start(queue: queue)
      called.wait()
      precondition(calls.copy == 2)
    }
  }

  @Test func `cancelling it leaves its notifications`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "wifi", 1)
      let posted = DispatchSemaphore(value: 0)
      let observer = NotificationCenter.default.addObserver(forName: .connectivityStatus, object: nil, queue: nil) {
        _ in
        posted.signal()
      }
      let monitor = PathMonitor.shared
      monitor.postsNotifications = true
      posted.wait()
      monitor.cancel()
      precondition(monitor.postsNotifications)
      monitor.savesData = true
      posted.wait()
      NotificationCenter.default.removeObserver(observer)
    }
  }
}

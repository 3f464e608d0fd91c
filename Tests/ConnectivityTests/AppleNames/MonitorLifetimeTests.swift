import Connectivity
import ConnectivityTesting
import Foundation
import ProcessTestSupport
import SystemIO
import Testing

@Suite("The lifetime of a monitor with Apple's name")
struct MonitorLifetimeTests {
  /// Starts a monitor, and keeps only the objects that the returned closures hold.
  private static func start(
    _ script: PathScript, on queue: DispatchQueue, _ handler: @escaping @Sendable (NWPath) -> Void
  ) -> (monitor: () -> NWPathMonitor?, token: () -> AnyObject?) {
    final class Token: Sendable {}
    let (monitor, token) = (NWPathMonitor(source: .scripted(script)), Token())
    monitor.pathUpdateHandler = { path in withExtendedLifetime(token) { handler(path) } }
    monitor.start(queue: queue)
    return ({ [weak monitor] in monitor }, { [weak token] in token })
  }

  @Test func `a started monitor without a reference calls its handler until it is cancelled`() {
    let (script, recorder, queue) = (PathScript(.offline), PathRecorder(), DispatchQueue(label: "handler"))
    let started = Self.start(script, on: queue) { recorder.add($0.networkPath) }
    #expect(recorder.next() == .offline)
    script.send(.online())
    #expect(recorder.next() == .online())
    #expect(started.monitor()?.queue === queue)
    started.monitor()?.cancel()
    // A call that is already on the queue may hold the monitor for a while.
    queue.sync {}
    #expect(started.monitor() == nil)
    #expect(started.token() == nil)
    #expect(script.subscriberCount == 0)
    script.send(.offline)
    queue.sync {}
    #expect(recorder.all.count == 2)
  }

  @Test func `a handler may cancel a monitor without another reference`() {
    let (script, queue) = (PathScript(.online()), DispatchQueue(label: "handler"))
    let cancelled = DispatchSemaphore(value: 0)
    func start() -> () -> NWPathMonitor? {
      let monitor = NWPathMonitor(source: .scripted(script))
      monitor.pathUpdateHandler = { [weak monitor] path in
        guard path.status == .unsatisfied else { return }
        monitor?.cancel()
        cancelled.signal()
      }
      monitor.start(queue: queue)
      return { [weak monitor] in monitor }
    }
    let monitor = start()
    script.send(.offline)
    #expect(cancelled.wait(timeout: .now() + 20) == .success)
    queue.sync {}
    #expect(monitor() == nil)
    #expect(script.subscriberCount == 0)
  }

  @Test func `a monitor that was started and cancelled again and again is released`() {
    let (script, queue) = (PathScript(.online()), DispatchQueue(label: "handler"))
    func run() -> () -> NWPathMonitor? {
      let monitor = NWPathMonitor(source: .scripted(script))
      for _ in 0..<100 {
        monitor.start(queue: queue)
        monitor.start(queue: queue)
        monitor.cancel()
        monitor.cancel()
      }
      #expect(monitor.queue == nil)
      return { [weak monitor] in monitor }
    }
    let monitor = run()
    queue.sync {}
    #expect(monitor() == nil)
    #expect(script.subscriberCount == 0)
  }

  @Test func `a monitor without a reference leaves no thread and no descriptor behind`() async {
    await #expect(processExitsWith: .success) {
      func count(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
      }
      func isFollowing() -> Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.contains {
          (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "pathmonitor\n"
        }
      }
      unsafe setenv("PATHMONITOR_SOCKET", "/nonexistent/pathmonitor-socket", 1)
      let (arrived, queue) = (DispatchSemaphore(value: 0), DispatchQueue(label: "handlers"))
      func start() -> () -> NWPathMonitor? {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { _ in arrived.signal() }
        monitor.start(queue: queue)
        return { [weak monitor] in monitor }
      }
      func cycle() async throws {
        let monitor = start()
        arrived.wait()
        precondition(isFollowing() && monitor() != nil)
        monitor()?.cancel()
        while isFollowing() || monitor() != nil { try await Task.sleep(for: .milliseconds(5)) }
      }
      // The first use opens descriptors that stay open, such as the one for timers.
      try await cycle()
      let descriptors = count("/proc/self/fd")
      for _ in 0..<20 { try await cycle() }
      precondition(count("/proc/self/fd") == descriptors, "\(descriptors) have become \(count("/proc/self/fd"))")
    }
  }
}

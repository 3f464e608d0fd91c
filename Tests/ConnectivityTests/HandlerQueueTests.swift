import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import ProcessTestSupport
import SystemIO
import Testing

/// Handlers are called on their queues, and never on the thread that reads changes. Each test in a process of its own,
/// whose threads it can list, with a service whose default route it changes.
@Suite("A handler", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HandlerQueueTests {
  private static let key = DispatchSpecificKey<String>()

  /// A service in a namespace, and the monitors that ask it.
  private struct Stage: Sendable {
    let network: TestNetwork
    let daemon: TestDaemon

    static func with(_ body: @Sendable (Stage) async throws -> Void) async throws {
      try await TestNetwork.with { network in
        try await network.connect()
        let daemon = try await TestDaemon(namespace: network.near)
        try await body(Stage(network: network, daemon: daemon))
        try await daemon.stop()
      }
    }

    func monitor() -> PathMonitor { PathMonitor(source: .service(socketPath: daemon.socket), settle: .zero) }

    /// A monitor that is started, and has called its handler for the first path.
    func started(
      _ queue: DispatchQueue = DispatchQueue(label: "handler"),
      _ handler: @escaping @Sendable (NetworkPath) -> Void = { _ in }
    ) async throws -> (PathMonitor, PathRecorder) {
      let (monitor, recorder) = (monitor(), PathRecorder())
      monitor.pathUpdateHandler = { path in
        recorder.add(path)
        handler(path)
      }
      monitor.start(queue: queue)
      _ = try await recorder.path { $0.knowledge == .known }
      return (monitor, recorder)
    }

    func disconnect() async throws { try await network.ip("route delete default") }
    func connect() async throws { try await network.ip("route add default via 192.0.2.1") }

    /// Takes the path away and restores it repeatedly; waits each time until the recorder has the change.
    func flip(times: Int, _ recorder: PathRecorder) async throws {
      for _ in 0..<times {
        try await disconnect()
        _ = try await recorder.path { $0.status == .unsatisfied }
        try await connect()
        _ = try await recorder.path { $0.status == .satisfied }
      }
    }
  }

  /// Whether a thread that reads changes is left. Threads that it added to the queues have its name too; they end a few
  /// seconds after their last call.
  private static func hasThread() -> Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.contains {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "pathmonitor\n"
    }
  }

  private static func wait(until condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
      try #require(ContinuousClock.now < deadline, "it took too long")
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `is called on the queue that was named, for each change`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let queue = DispatchQueue(label: "named")
        queue.setSpecific(key: Self.key, value: "named")
        let queues = Guarded<[String?]>([])
        let (monitor, recorder) = try await stage.started(queue) { _ in
          queues.withLock { $0.append(DispatchQueue.getSpecific(key: Self.key)) }
        }
        try await stage.flip(times: 10, recorder)
        monitor.cancel()
        try #require(queues.copy.count >= 20)
        try #require(queues.copy.allSatisfy { $0 == "named" }, "\(queues.copy)")
      }
    }
  }

  @Test func `that takes long delays no other`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let mayEnd = DispatchSemaphore(value: 0)
        let stuck = Guarded(0)
        @Sendable func block(_ path: NetworkPath) {
          guard path.status == .unsatisfied else { return }
          stuck.withLock { $0 += 1 }
          mayEnd.wait()
        }
        var held = [try await stage.started { block($0) }]
        try await stage.disconnect()
        try await Self.wait { stuck.copy == 1 }
        try await stage.connect()
        held.append(try await stage.started { block($0) })
        try await stage.disconnect()
        try await Self.wait { stuck.copy == 2 }
        let (free, recorder) = try await stage.started()
        for _ in 0..<3 {
          try await stage.connect()
          _ = try await recorder.path { $0.status == .satisfied }
          try await stage.disconnect()
          _ = try await recorder.path { $0.status == .unsatisfied }
        }
        try await stage.connect()
        _ = try await recorder.path { $0.status == .satisfied }
        for _ in 0..<3 { mayEnd.signal() }
        for (_, recorder) in held {
          try await Self.wait { recorder.all.last?.status == .satisfied }
        }
        for (monitor, _) in held + [(free, recorder)] { monitor.cancel() }
        try await Self.wait { !Self.hasThread() }
      }
    }
  }

  @Test func `with a suspended queue delays no other, and is not called after cancel`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let queue = DispatchQueue(label: "suspended")
        let (suspended, paths) = try await stage.started(queue)
        try await stage.disconnect()
        _ = try await paths.path { $0.status == .unsatisfied }
        queue.suspend()
        try await stage.connect()
        let (free, recorder) = try await stage.started()
        try await stage.disconnect()
        _ = try await recorder.path { $0.status == .unsatisfied }
        try await stage.connect()
        _ = try await recorder.path { $0.status == .satisfied }
        try #require(paths.all.last?.status == .unsatisfied)
        suspended.cancel()
        queue.resume()
        free.cancel()
        try await Self.wait { !Self.hasThread() }
        try #require(paths.all.last?.status == .unsatisfied, "a handler has started after cancel")
      }
    }
  }

  @Test func `may end or release its monitor, whose thread ends then`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        for isReleased in [false, true] {
          let owner = Guarded<PathMonitor?>(nil)
          func begin() async throws -> PathRecorder {
            let (monitor, recorder) = try await stage.started { path in
              guard path.status == .unsatisfied else { return }
              if isReleased { owner.exchange(\.self, for: nil) } else { owner.copy?.cancel() }
            }
            owner.withLock { $0 = monitor }
            return recorder
          }
          let recorder = try await begin()
          try await stage.disconnect()
          _ = try await recorder.path { $0.status == .unsatisfied }
          try await Self.wait { !Self.hasThread() }
          try await stage.connect()
          try #require(recorder.all.last?.status == .unsatisfied)
        }
        try await Self.wait { !Self.hasThread() }
      }
    }
  }

  @Test func `is called on the main queue where that is named`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let (monitor, recorder) = try await stage.started(.main) { _ in
          dispatchPrecondition(condition: .onQueue(.main))
        }
        try await stage.flip(times: 3, recorder)
        monitor.cancel()
        try await Self.wait { !Self.hasThread() }
      }
    }
  }
}

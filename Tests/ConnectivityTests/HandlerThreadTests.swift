import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import ProcessTestSupport
import SystemIO
import Testing

/// Handlers are called by the thread that follows the path when nothing speaks against it. Each test in a process of its
/// own, whose threads it can count, with a service whose default route it changes.
@Suite("The thread that calls a handler", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HandlerThreadTests {
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

    /// Takes the path away and gives it back, so often, and waits each time until the recorder knows.
    func flip(times: Int, _ recorder: PathRecorder) async throws {
      for _ in 0..<times {
        try await disconnect()
        _ = try await recorder.path { $0.status == .unsatisfied }
        try await connect()
        _ = try await recorder.path { $0.status == .satisfied }
      }
    }
  }

  /// How many threads of the process are ours.
  private static func threads() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count {
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

  @Test func `follows the path itself from the second call on, in the queue that was named`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let queue = DispatchQueue(label: "named")
        queue.setSpecific(key: Self.key, value: "named")
        let calls = Guarded<[(thread: String, queue: String?)]>([])
        let (monitor, recorder) = try await stage.started(queue) { _ in
          let thread = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
          calls.withLock { $0.append((thread, DispatchQueue.getSpecific(key: Self.key))) }
        }
        try await stage.flip(times: 10, recorder)
        monitor.cancel()
        try #require(calls.copy.allSatisfy { $0.queue == "named" })
        try #require(calls.copy.count >= 20)
        // A call that comes while the thread is still away from the last one is left to the queue.
        try #require(calls.copy.contains { $0.thread == "pathmonitor\n" }, "\(calls.copy)")
      }
    }
  }

  @Test func `may be held up by handlers that delay nobody else`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let mayEnd = DispatchSemaphore(value: 0)
        let stuck = Guarded(0)
        @Sendable func block(_ path: NetworkPath) {
          guard path.status == .unsatisfied else { return }
          stuck.withLock { $0 += 1 }
          mayEnd.wait()
        }
        // Each of these calls its handler alone: first the one, then the other.
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
        try #require(Self.threads() == 2, "\(Self.threads()) threads")
        for (monitor, _) in held + [(free, recorder)] { monitor.cancel() }
        try await Self.wait { Self.threads() == 0 }
      }
    }
  }

  @Test func `is held up by no queue that is suspended`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let queue = DispatchQueue(label: "suspended")
        let (suspended, paths) = try await stage.started(queue)
        // With the second call it would be this queue that the thread waits for.
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
        try await Self.wait { Self.threads() == 0 }
        try #require(paths.all.last?.status == .unsatisfied, "a handler has started after cancel")
      }
    }
  }

  @Test func `lets a handler end or release its monitor, and ends then`() async {
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
          try await Self.wait { Self.threads() == 0 }
          try await stage.connect()
          try #require(recorder.all.last?.status == .unsatisfied)
        }
        try await Self.wait { Self.threads() == 0 }
      }
    }
  }

  @Test func `leaves calls on the main queue to the main thread`() async {
    await #expect(processExitsWith: .success) {
      try await Stage.with { stage in
        let onMain = Guarded<[Bool]>([])
        let (monitor, recorder) = try await stage.started(.main) { _ in
          dispatchPrecondition(condition: .onQueue(.main))
          onMain.withLock {
            $0.append((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) == "pathmonitor\n")
          }
        }
        try await stage.flip(times: 3, recorder)
        monitor.cancel()
        try #require(!onMain.copy.contains(true))
        try await Self.wait { Self.threads() == 0 }
      }
    }
  }
}

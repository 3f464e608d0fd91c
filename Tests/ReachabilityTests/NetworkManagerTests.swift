import Dispatch
import Foundation
import Glibc
import ProcessTestSupport
import Reachability
import SystemIO
import Testing

/// The NetworkManager of a program, in a process of its own for each test.
@Suite("NetworkManager", .timeLimit(.minutes(2)))
struct NetworkManagerTests {
  /// The calls and notifications on the main queue, in words.
  private final class Told: @unchecked Sendable {
    // The lock of `lines` and the semaphore make it true: nothing else changes.
    private let lines = Guarded<[String]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func add(_ line: String) {
      lines.withLock { $0.append(line) }
      arrived.signal()
    }

    /// All lines, once there are so many.
    func wait(for count: Int) -> [String] {
      while lines.copy.count < count, arrived.wait(timeout: .now() + 20) == .success {}
      return all
    }

    /// All lines, including those of blocks that are already on the main queue.
    var all: [String] {
      DispatchQueue.main.sync {}
      return lines.copy
    }
  }

  private static func expect<Value: Equatable>(_ value: Value, _ expected: Value, line: UInt = #line) {
    precondition(value == expected, "line \(line): \(value), not \(expected)")
  }

  @Test(
    "only the helpers that are named for the path run",
    arguments: [
      ("wifi", ["isReachable", "isReachableViaWiFi"]), ("ethernet", ["isReachable", "isReachableViaWiFi"]),
      ("vpn", ["isReachable", "isReachableViaWiFi"]), ("cellular", ["isReachable", "isReachableViaWWAN"]),
      ("offline", ["isUnreachable"]),
      // One of both has to run, as programs show one page or the other, and an unknown path is not "offline".
      ("unknown", ["isReachable", "isReachableViaWiFi"]),
    ])
  func helpers(path: String, expected: [String]) async {
    await #expect(processExitsWith: .success) { [path = path as String, expected = expected as [String]] in
      setenv("PATHMONITOR_SIMULATE", path, 1)
      var ran: [String] = []
      NetworkManager.isReachable { ran.append($0 === NetworkManager.sharedInstance ? "isReachable" : "another") }
      NetworkManager.isUnreachable { _ in ran.append("isUnreachable") }
      NetworkManager.isReachableViaWiFi { _ in ran.append("isReachableViaWiFi") }
      NetworkManager.isReachableViaWWAN { _ in ran.append("isReachableViaWWAN") }
      Self.expect(ran, expected)
    }
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a stop ends the deliveries, and a start begins afresh, also at once`() async throws {
    try await TestNetwork.with { network in
      let (near, far) = (network.near, network.far)
      _ = await #expect(processExitsWith: .success) { [near = near as String, far = far as String] in
        func ip(_ command: String) throws {
          try RunningProgram.succeedBlocking(["ip", "-n", near] + command.split(separator: " ").map(String.init))
        }
        // Threads that this one creates live in the namespace: those of the monitors.
        try NetworkNamespace.enter(near)
        setenv("PATHMONITOR_SOCKET", "/nonexistent/pathmonitor-socket", 1)
        let received = Told()
        let reachability = NetworkManager.sharedInstance.reachability
        reachability.whenReachable = { received.add("reachable over \($0)") }
        reachability.whenUnreachable = { _ in received.add("unreachable") }
        let token = NotificationCenter.default.addObserver(
          forName: .reachabilityChanged, object: reachability, queue: nil
        ) { _ in received.add("notification") }
        // Deliveries before the closures were set are over.
        func stop() { DispatchQueue.main.sync { NetworkManager.stopNotifier() } }
        stop()
        let before = received.all.count
        try reachability.startNotifier()
        Self.expect(Array(received.wait(for: before + 2)[before...]), ["unreachable", "notification"])
        // Another Reachability gets the change, and this one does not.
        let witnessed = Told()
        stop()
        try {
          let witness = try Reachability()
          witness.whenReachable = { _ in witnessed.add("reachable") }
          witness.whenUnreachable = { _ in witnessed.add("unreachable") }
          try witness.startNotifier()
          Self.expect(witnessed.wait(for: 1), ["unreachable"])
          try ip("link add eth0 type veth peer name eth0 netns \(far)")
          try RunningProgram.succeedBlocking(["ip", "-n", far, "link", "set", "eth0", "up"])
          try ip("link set eth0 addrgenmode none")
          try ip("link set eth0 up")
          try ip("address add 192.0.2.2/24 dev eth0")
          try ip("route add default via 192.0.2.1")
          Self.expect(witnessed.wait(for: 2), ["unreachable", "reachable"])
          withExtendedLifetime(witness) {}
        }()
        Self.expect(received.all.count, before + 2)
        var isReachable = false
        NetworkManager.isReachable { _ in isReachable = true }
        precondition(isReachable, "a helper asks for what is true now, also after a stop")
        try reachability.startNotifier()
        Self.expect(Array(received.wait(for: before + 4)[(before + 2)...]), ["reachable over WiFi", "notification"])
        // The state is delivered again, and once, sooner than anything settles.
        stop()
        try reachability.startNotifier()
        Self.expect(Array(received.wait(for: before + 6)[(before + 4)...]), ["reachable over WiFi", "notification"])
        // The delivered state is the present one, and not the former.
        stop()
        try ip("link set eth0 down")
        try reachability.startNotifier()
        Self.expect(Array(received.wait(for: before + 8)[(before + 6)...]), ["unreachable", "notification"])
        Self.expect(received.all.count, before + 8)
        NotificationCenter.default.removeObserver(token)
      }
    }
  }
}

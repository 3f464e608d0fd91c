import Connectivity
import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

/// Runs the singleton in a process and a network namespace of its own, and records its notifications.
@Suite(
  "A NetworkMonitor singleton as programs have it", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct PortedMonitorTests {
  /// The singleton, its namespace, and a counter of its notifications.
  private struct Stage {
    let near: String
    let monitor = NetworkMonitor.shared
    private let posts = DispatchSemaphore(value: 0)
    private let count = Guarded(0)

    /// The calling thread moves into the namespace, and with it the monitors' threads, which it creates.
    init(near: String) throws {
      self.near = near
      try NetworkNamespace.enter(near)
      setenv("PATHMONITOR_SOCKET", "/nonexistent/pathmonitor-socket", 1)
      _ = NotificationCenter.default.addObserver(forName: .connectivityStatus, object: nil, queue: nil) {
        [posts, count] _ in
        count.withLock { $0 += 1 }
        posts.signal()
      }
    }

    /// The number of posts.
    var postCount: Int { count.copy }

    func ip(_ commands: String...) throws {
      for command in commands {
        try RunningProgram.succeedBlocking(["ip", "-n", near] + command.split(separator: " ").map(String.init))
      }
    }

    func connect() throws {
      try ip(
        "link add eth0 type veth peer name far0", "link set far0 up", "link set eth0 up",
        "address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
    }

    /// Waits for a post after which the condition holds.
    func wait(_ what: String, until condition: () -> Bool) {
      repeat { waitForPost(what) } while !condition()
    }

    /// Waits for the next post.
    func waitForPost(_ what: String) {
      precondition(posts.wait(timeout: .now() + 20) == .success, "no notification: \(what)")
    }

    /// Skips the posts that have come.
    func forgetPosts() {
      while posts.wait(timeout: .now()) == .success {}
    }
  }

  @Test func `it reports offline, connected and its type, and offline again`() async throws {
    try await TestNetwork.with { network in
      _ = await #expect(processExitsWith: .success) { [near = network.near as String] in
        let stage = try Stage(near: near)
        let monitor = stage.monitor
        precondition(!monitor.isConnected)
        monitor.startMonitoring()
        stage.wait("offline at the start") { !monitor.isConnected && monitor.currentConnectionType == nil }
        try stage.connect()
        stage.wait("connected") { monitor.isConnected && monitor.currentConnectionType == .wiredEthernet }
        precondition(!monitor.isExpensive)
        try stage.ip("link set eth0 down")
        stage.wait("offline at the end") { !monitor.isConnected }
        monitor.stopMonitoring()
      }
    }
  }

  @Test func `it can be stopped and started again, also at once`() async throws {
    try await TestNetwork.with { network in
      _ = await #expect(processExitsWith: .success) { [near = network.near as String] in
        let stage = try Stage(near: near)
        let monitor = stage.monitor
        monitor.startMonitoring()
        stage.wait("offline at the start") { !monitor.isConnected }
        monitor.stopMonitoring()
        // Another monitor gets the change, and this one does not.
        let count = stage.postCount
        let isConnected = DispatchSemaphore(value: 0)
        let witness = PathMonitor()
        witness.pathUpdateHandler = { if $0.status == .satisfied { isConnected.signal() } }
        witness.start(queue: DispatchQueue(label: "witness"))
        try stage.connect()
        func waitForWitness() { precondition(isConnected.wait(timeout: .now() + 20) == .success) }
        waitForWitness()
        witness.cancel()
        precondition(stage.postCount == count && !monitor.isConnected)
        monitor.startMonitoring()
        stage.wait("connected after a start") { monitor.isConnected }
        // The state is posted again, sooner than anything settles.
        monitor.stopMonitoring()
        stage.forgetPosts()
        monitor.startMonitoring()
        stage.waitForPost("the state again")
        precondition(monitor.isConnected)
        // The posted state is the present one, and not the former.
        monitor.stopMonitoring()
        stage.forgetPosts()
        try stage.ip("link set eth0 down")
        monitor.startMonitoring()
        stage.waitForPost("the state as it is")
        precondition(!monitor.isConnected)
        try stage.ip("link set eth0 up", "route add default via 192.0.2.1")
        stage.wait("connected at the end") { monitor.isConnected }
        monitor.stopMonitoring()
      }
    }
  }
}

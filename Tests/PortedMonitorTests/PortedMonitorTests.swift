import Connectivity
import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

/// Runs the singleton in a process and a network namespace of its own, and lets it tell what it sees.
@Suite(
  "A NetworkMonitor singleton as programs have it", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct PortedMonitorTests {
  @Test func `it tells offline, connected and its type, and offline again`() async {
    await #expect(processExitsWith: .success) {
      let name = "pmtest-\(getpid())-ported"
      func ip(_ command: String) throws {
        try RunningProgram.succeedBlocking(["ip"] + command.split(separator: " ").map(String.init))
      }
      try ip("netns add \(name)")
      defer { try? ip("netns delete \(name)") }
      try ip("-n \(name) link set lo up")
      // The monitor's thread is made by this one, and lives in its namespace.
      try NetlinkOptions.enterNetworkNamespace("/run/netns/\(name)")
      setenv("PATHMONITOR_SOCKET", "/nonexistent/pathmonitor-socket", 1)
      let posts = DispatchSemaphore(value: 0)
      let observer = NotificationCenter.default.addObserver(forName: .connectivityStatus, object: nil, queue: nil) {
        _ in
        posts.signal()
      }
      func wait(_ what: String, until condition: () -> Bool) {
        repeat {
          precondition(posts.wait(timeout: .now() + 20) == .success, "no notification: \(what)")
        } while !condition()
      }
      let monitor = NetworkMonitor.shared
      precondition(!monitor.isConnected)
      monitor.startMonitoring()
      wait("offline at the start") { !monitor.isConnected && monitor.currentConnectionType == nil }
      try ip("-n \(name) link add eth0 type veth peer name far0")
      try ip("-n \(name) link set far0 up")
      try ip("-n \(name) link set eth0 up")
      try ip("-n \(name) address add 192.0.2.2/24 dev eth0")
      try ip("-n \(name) route add default via 192.0.2.1")
      wait("connected") { monitor.isConnected && monitor.currentConnectionType == .wiredEthernet }
      precondition(!monitor.isExpensive)
      try ip("-n \(name) link set eth0 down")
      wait("offline at the end") { !monitor.isConnected }
      monitor.stopMonitoring()
      NotificationCenter.default.removeObserver(observer)
    }
  }
}

import Foundation
import ProcessTestSupport
import Testing

/// Hosts as a program sees them. It runs in network and mount namespaces of its own, where names come from a file of
/// the test alone.
@Suite(
  "Hosts that Reachability asks the system for", .timeLimit(.minutes(2)),
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HostTests {
  private static let probe = RunningProgram.built("reachability-probe")

  /// Mounts files in the place of the machine's, for the program alone, and executes it.
  private static let script = """
    mount --bind "$1" /etc/hosts || exit
    if [ -e /etc/nsswitch.conf ]; then mount --bind "$2" /etc/nsswitch.conf || exit; fi
    shift 2
    exec "$@"
    """

  /// Follows a host in a namespace with a default route over `eth0`, and another route.
  private func follow(
    _ host: String, hosts: String, route: String? = nil,
    _ body: (TestNetwork, _ hosts: (String) throws -> Void, _ received: LineLog) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      if let route { try await network.ip("route add \(route)") }
      let directory = try ScratchDirectory()
      // In place: this file is mounted over the machine's, and a new file of this name would not be.
      func setHosts(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory("hosts")), options: [])
      }
      try setHosts(hosts)
      try directory.write("nsswitch.conf", "hosts: files\n")
      let program = try RunningProgram(
        [
          "unshare", "-m", "--propagation", "private", "sh", "-c", Self.script, "sh", directory("hosts"),
          directory("nsswitch.conf"), Self.probe, host,
        ],
        environment: ["PATHMONITOR_SOCKET": "/nonexistent"], namespace: network.near)
      defer { program.kill() }
      try await body(network, setHosts, program.output)
      #expect(program.complaints.lines == [])
    }
  }

  @Test func `a host without an address is unreachable, until it has one`() async throws {
    try await follow("host.example", hosts: "198.51.100.7 other.example\n") { _, setHosts, received in
      let first = try await received.wait(lines: 2)
      #expect(first == ["asked No Connection", "unreachable No Connection"])
      // No message announces that: it is looked up again.
      try setHosts("198.51.100.7 host.example\n")
      #expect(try await received.wait(lines: 3).last == "reachable WiFi")
    }
  }

  @Test func `a host with an address that the kernel has no route to is unreachable`() async throws {
    let route = "prohibit 198.51.100.7"
    try await follow("host.example", hosts: "198.51.100.7 host.example\n", route: route) { network, _, received in
      let first = try await received.wait(lines: 2)
      #expect(first == ["asked No Connection", "unreachable No Connection"])
      try await network.ip("route delete \(route)")
      #expect(try await received.wait(lines: 3).last == "reachable WiFi")
    }
  }
}

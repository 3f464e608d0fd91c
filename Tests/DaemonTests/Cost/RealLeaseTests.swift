import Foundation
import ProcessTestSupport
import Testing

/// The daemon beside a DHCP client that writes its leases to the usual files.
@Suite(
  "The leases of real DHCP clients", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)),
  .enabled(if: DebianProgram.areThere, Comment(rawValue: DebianProgram.needed)))
struct RealLeaseTests {
  private static let metered = #""isExpensive":true,"isConstrained":false,"confidence":"certain""#
  private static let unknown = #""isExpensive":false,"isConstrained":false,"confidence":"unknown""#

  /// Has the client get a lease of a network that announces no cost. The client then renews the lease twice: the
  /// network announces that it is metered, and then no longer.
  private static func run(lease: String, _ client: (PrivateMachine) throws -> [String]) async throws {
    try await TestNetwork.with { network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)", "link set eth0 up")
      try await network.ipFar("link set eth0 up")
      let server = try await DHCPServer(on: network)
      let machine = try PrivateMachine()
      let daemon = try await TestDaemon(namespace: network.near, launcher: machine.launcher)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      func comes(_ cost: String) async throws {
        _ = try await watcher.output.wait(for: cost, within: .seconds(40)) { lines in
          lines.last.flatMap { $0.contains(#""status":"satisfied""#) && $0.contains(cost) ? true : nil }
        }
      }

      let program = try machine.start(try client(machine), namespace: network.near)
      try await comes(unknown)
      #expect(FileManager.default.fileExists(atPath: machine.library(lease)))
      // The client renews its lease every few seconds. dhclient writes one renewal in 15 s. The address and the route
      // stay: only the file changes.
      try server.say("ANDROID_METERED")
      try await comes(metered)
      let explained = try await daemon.pathctl("explain").output
      #expect(
        explained.contains(
          "  * certain  expensive  lease  eth0 has a DHCP lease of 192.0.2.10 with ANDROID_METERED"), "\(explained)")
      #expect(try await daemon.pathctl("check", "unmetered").status == 1)
      try server.say("")
      try await comes(unknown)
      try await program.killAndWait()
      try await daemon.program.expectSleep(for: .seconds(3))
      #expect(watcher.complaints.text.isEmpty)
      try await daemon.stop()
      try await server.stop()
    }
  }

  @Test func `dhclient's lease with ANDROID_METERED makes the path expensive, and each renewal is noticed`()
    async throws
  {
    try await Self.run(lease: "dhcp/dhclient.eth0.leases") { machine in
      // It repeats its request soon when there is no answer: the carrier may come late.
      try machine.write("dhclient.conf", "initial-interval 1; backoff-cutoff 1; retry 1;")
      return [
        DebianProgram.dhclient ?? "", "-4", "-d", "-sf", DebianProgram.dhclientScript ?? "", "-cf",
        machine("dhclient.conf"), "-lf", "/var/lib/dhcp/dhclient.eth0.leases", "-pf", "/run/dhclient.pid", "eth0",
      ]
    }
  }

  @Test func `dhcpcd's lease with ANDROID_METERED makes the path expensive, and each renewal is noticed`()
    async throws
  {
    // Without the probe for other users of the address, which takes seconds.
    try await Self.run(lease: "dhcpcd/eth0.lease") { _ in
      [DebianProgram.dhcpcd ?? "", "-4", "-B", "-A", "-f", "/dev/null", "-c", "/bin/true", "eth0"]
    }
  }
}

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

  /// A client at the end of a cable to a DHCP server, with the daemon and its watcher beside it.
  private static func run(
    _ client: (PrivateMachine) throws -> [String],
    _ body: (TestDaemon, RunningProgram, PrivateMachine, DHCPServer, RunningProgram) async throws -> Void
  ) async throws {
    try await TestNetwork.with { network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)", "link set eth0 up")
      try await network.ipFar("link set eth0 up")
      let server = try await DHCPServer(on: network)
      let machine = try PrivateMachine()
      let daemon = try await TestDaemon(namespace: network.near, launcher: machine.launcher)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      let program = try machine.start(try client(machine), namespace: network.near)
      try await body(daemon, watcher, machine, server, program)
      try await daemon.stop()
      try await server.stop()
    }
  }

  /// Waits until the last path is satisfied and has the words.
  private static func wait(_ watcher: RunningProgram, for words: String) async throws {
    _ = try await watcher.output.wait(for: words, within: .seconds(40)) { lines in
      lines.last.flatMap { $0.contains(#""status":"satisfied""#) && $0.contains(words) ? true : nil }
    }
  }

  /// Has the client get a lease with the address for the sign-in, which it was told to ask for. The client then renews
  /// the lease twice: the network announces that it is metered, and then no longer.
  private static func run(lease: String, _ client: (PrivateMachine) throws -> [String]) async throws {
    try await run(client) { daemon, watcher, machine, server, program in
      try await wait(watcher, for: #""portal":"\#(DHCPServer.portal)""#)
      #expect(FileManager.default.fileExists(atPath: machine.library(lease)))
      #expect(watcher.output.lines.last?.contains(unknown) == true)
      let announced = "the DHCP lease of eth0 names an address for the sign-in: \(DHCPServer.portal)"
      #expect(try await daemon.pathctl("explain").output.contains(announced))
      #expect(try await daemon.pathctl("check", "not-portal").status == 0, "an announced address decides nothing")
      // The client renews its lease every few seconds. dhclient writes one renewal in 15 s. The address and the route
      // stay: only the file changes.
      try server.say("ANDROID_METERED")
      try await wait(watcher, for: metered)
      let explained = try await daemon.pathctl("explain").output
      #expect(
        explained.contains(
          "  * certain  expensive  lease  eth0 has a DHCP lease of 192.0.2.10 with ANDROID_METERED"), "\(explained)")
      #expect(try await daemon.pathctl("check", "unmetered").status == 1)
      try server.say("")
      try await wait(watcher, for: unknown)
      try await program.killAndWait()
      try await daemon.program.expectSleep(for: .seconds(3))
      #expect(watcher.complaints.text.isEmpty)
    }
  }

  @Test func `dhclient's lease makes the path expensive, its renewals are noticed, and it asks for a page if told to`()
    async throws
  {
    try await Self.run(lease: "dhcp/dhclient.eth0.leases") { machine in
      // It repeats its request soon when there is no answer: the carrier may come late.
      let quickly = "initial-interval 1; backoff-cutoff 1; retry 1;"
      try machine.write("dhclient.conf", "\(quickly) also request default-url;")
      return [
        DebianProgram.dhclient ?? "", "-4", "-d", "-sf", DebianProgram.dhclientScript ?? "", "-cf",
        machine("dhclient.conf"), "-lf", "/var/lib/dhcp/dhclient.eth0.leases", "-pf", "/run/dhclient.pid", "eth0",
      ]
    }
  }

  @Test func `dhcpcd's lease makes the path expensive, its renewals are noticed, and it asks for a page if told to`()
    async throws
  {
    try await Self.run(lease: "dhcpcd/eth0.lease") { machine in
      try machine.write("dhcpcd.conf", "define 114 string captive_portal_uri\noption captive_portal_uri\n")
      // Without the probe for other users of the address, which takes seconds.
      return DebianProgram.dhcpcd("-A", "-f", machine("dhcpcd.conf"))
    }
  }
}

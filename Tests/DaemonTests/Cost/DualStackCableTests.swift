import Foundation
import ProcessTestSupport
import Testing

/// A cable with both families. When it is back, so is IPv6, and IPv4 comes when the DHCP client has found that no other
/// machine uses its address, which takes some seconds.
@Suite(
  "pathmonitor-connections beside a real DHCP client",
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)),
  .enabled(if: DebianProgram.areThere, Comment(rawValue: DebianProgram.needed)))
struct DualStackCableTests {
  private static let server = """
    import socket
    s = socket.create_server(("192.0.2.1", 7000))
    print("ready", flush=True)
    c, _ = s.accept()
    c.recv(1)
    """
  /// A program that waits for its connection.
  private static let client = """
    import socket
    c = socket.create_connection(("192.0.2.1", 7000))
    print("connected", flush=True)
    try:
        c.recv(1)
    except OSError as error:
        print(error, flush=True)
    """

  @Test func `a connection outlives a cable that is out for a moment`() async throws {
    try await TestNetwork.with { network in
      try await network.ip("link add eth0 type veth peer name eth0 netns \(network.far)")
      let settings = ["4", "6"].map { "net.ipv\($0).conf.all.ignore_routes_with_linkdown=1" }
      try await RunningProgram.succeed(["ip", "netns", "exec", network.near, "sysctl", "-qw"] + settings)
      try await network.ip("link set eth0 up", "-6 address add 2001:db8:2::2/64 dev eth0 nodad")
      try await network.ip("-6 route add default via 2001:db8:2::1 dev eth0")
      try await network.ipFar("link set eth0 up")
      let dhcp = try await DHCPServer(on: network)
      let machine = try PrivateMachine()
      let daemon = try await TestDaemon(namespace: network.near, launcher: machine.launcher)
      let watcher = try daemon.start("watch", "--json")
      try machine.write("dhcpcd.conf", "")
      let dhcpcd = try machine.start(DebianProgram.dhcpcd("-f", machine("dhcpcd.conf")), namespace: network.near)
      let both = #""192.0.2.10""#
      try await Self.wait(watcher) { $0.contains(both) && $0.contains(#""supportsIPv6":true"#) }

      try machine.write("connections.conf", "[Connections]\nGrace=1s\n")
      let ender = try RunningProgram(
        [
          RunningProgram.built("pathmonitor-connections"), "--socket", daemon.socket, "--config",
          machine("connections.conf"),
        ], namespace: network.near)
      try await daemon.waitForSubscribers(2)
      let server = try RunningProgram(["python3", "-c", Self.server], namespace: network.far)
      try await server.output.wait(lineWith: "ready")
      let client = try RunningProgram(["python3", "-c", Self.client], namespace: network.near)
      try await client.output.wait(lineWith: "connected")

      try await network.ipFar("link set eth0 down")
      try await Self.wait(watcher) { $0.contains(#""status":"unsatisfied""#) }
      try await network.ipFar("link set eth0 up")
      try await Self.wait(watcher) { $0.contains(#""supportsIPv4":false"#) && $0.contains(#""supportsIPv6":true"#) }
      // Several times the grace later the lease is confirmed.
      try await Self.wait(watcher) { $0.contains(both) && $0.contains(#""supportsIPv6":true"#) }
      #expect(client.output.lines == ["connected"] && client.isRunning, "\(client.output.text)")
      #expect(ender.isRunning && ender.complaints.lines.isEmpty, "\(ender.complaints.text)")
      for program in [client, server, ender, dhcpcd] { try await program.killAndWait() }
      try await daemon.stop()
      try await dhcp.stop()
    }
  }

  private static func wait(_ watcher: RunningProgram, until isSo: @escaping @Sendable (String) -> Bool) async throws {
    _ = try await watcher.output.wait(for: "another path", within: .seconds(40)) { lines in
      lines.last.flatMap { isSo($0) ? true : nil }
    }
  }
}

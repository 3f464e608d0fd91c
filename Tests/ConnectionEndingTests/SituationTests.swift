import Glibc
import ProcessTestSupport
import Testing

/// The rule against the kernel: what happens to real sockets, a situation a row.
@Suite("Connections whose address is gone", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct SituationTests {
  typealias Connection = EndingStage.Connection

  /// A situation.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The configuration of addresses before, beside 192.0.2.2 and 2001:db8:2::2 on eth0.
    var before: [String] = []
    /// Commands of `ip` for the machine of the server, before.
    var beforeFar: [String] = []
    /// Whether a secondary address becomes the primary one when that is removed.
    var promotes = false
    let connections: [Connection]
    /// The change.
    let change: [String]
    /// The connections that end with an error, and the states of those that stay.
    let ended: [String]
    let stay: [String: String]

    init(
      _ name: String, before: [String] = [], beforeFar: [String] = [], promotes: Bool = false,
      _ connections: [Connection],
      change: String..., ended: [String], stay: [String: String] = [:]
    ) {
      (testDescription, self.before, self.beforeFar, self.promotes) = (name, before, beforeFar, promotes)
      (self.connections, self.change, self.ended, self.stay) = (connections, change, ended, stay)
    }
  }

  private static func second(_ name: String = "eth1", metric: Int = 200) -> [String] {
    [
      "address add 198.51.100.2/24 dev \(name)",
      "route add default via 198.51.100.1 dev \(name) metric \(metric)",
    ]
  }
  private static let alias = "address add 192.0.2.7/24 dev eth0"
  private static let removal = "address delete 192.0.2.7/24 dev eth0"
  private static let (first, other) = (
    Connection(name: "first", local: "192.0.2.2"), Connection(name: "other", local: "192.0.2.7")
  )

  static let rows = [
    Row(
      "a VPN goes down, and the path is satisfied over eth0", before: second(),
      [first, Connection(name: "vpn", local: "198.51.100.2")], change: "link delete eth1", ended: ["vpn"],
      stay: ["first": "ESTAB"]),
    Row(
      "from one network to another", before: second(), [first, Connection(name: "next", local: "198.51.100.2")],
      change: "address flush dev eth0", "link set eth0 down", ended: ["first"], stay: ["next": "ESTAB"]),
    Row(
      "DHCP gives another address", [first],
      change: "address delete 192.0.2.2/24 dev eth0", "address add 192.0.2.3/24 dev eth0",
      "route replace default via 192.0.2.1 dev eth0 metric 100", ended: ["first"]),
    Row(
      "an alias is removed on purpose", before: [alias], [first, other], change: removal, ended: ["other"],
      stay: ["first": "ESTAB"]),
    Row(
      "the address moves to another interface", before: [alias, "address add 192.0.2.8/24 dev eth0"] + second(),
      [first, other, Connection(name: "sentinel", local: "192.0.2.8")],
      change: removal, "address add 192.0.2.7/32 dev eth1", "address delete 192.0.2.8/24 dev eth0", ended: ["sentinel"],
      stay: ["first": "ESTAB", "other": "ESTAB"]),
    Row(
      "the same address is back within the grace", before: [alias, "address add 192.0.2.8/24 dev eth0"],
      [other, Connection(name: "sentinel", local: "192.0.2.8")],
      change: removal, alias, "address delete 192.0.2.8/24 dev eth0", ended: ["sentinel"], stay: ["other": "ESTAB"]),
    Row(
      "a removed primary address takes its secondaries along, and one comes back",
      before: [alias, "address add 192.0.2.8/24 dev eth0"],
      [first, other, Connection(name: "lost", local: "192.0.2.8")],
      change: "address delete 192.0.2.2/24 dev eth0", alias, "route replace default via 192.0.2.1 dev eth0 metric 100",
      ended: ["first", "lost"], stay: ["other": "ESTAB"]),
    Row(
      "a removed primary address, whose secondary is promoted", before: [alias], promotes: true, [first, other],
      change: "address delete 192.0.2.2/24 dev eth0", "route replace default via 192.0.2.1 dev eth0 metric 100",
      ended: ["first"], stay: ["other": "ESTAB"]),
    Row(
      "sockets that listen and those of loopback", before: [alias],
      [
        other, Connection(name: "listener", local: "192.0.2.7", kind: "listen"),
        Connection(name: "loopback", local: "127.0.0.1", kind: "loop"),
      ], change: removal, "address delete 127.0.0.1/8 dev lo", ended: ["other"],
      stay: ["listener": "LISTEN", "loopback": "ESTAB"]),
    Row(
      "half-closed by either end, not connected yet, and only waiting for late packets", before: [alias],
      [
        Connection(name: "half", local: "192.0.2.7", kind: "half-closed"),
        Connection(name: "closing", local: "192.0.2.7", kind: "close-wait"),
        Connection(name: "calling", local: "192.0.2.7", remote: EndingStage.silent, kind: "syn-sent"),
        Connection(name: "waiting", local: "192.0.2.7", kind: "time-wait"),
      ], change: removal, ended: ["half", "closing", "calling"], stay: ["waiting": "TIME-WAIT"]),
    Row(
      "a socket of IPv6 that uses IPv4", before: [alias],
      [
        Connection(name: "mapped", local: "::ffff:192.0.2.7", remote: EndingStage.mapped),
        Connection(name: "stays", local: "::ffff:192.0.2.2", remote: EndingStage.mapped),
      ], change: removal, ended: ["mapped"], stay: ["stays": "ESTAB"]),
    Row(
      "the lifetime of an IPv6 privacy address ends", before: [],
      [
        Connection(name: "stays", local: "2001:db8:2::2", remote: EndingStage.serverIPv6),
        Connection(name: "private", local: "2001:db8:2::77", remote: EndingStage.serverIPv6),
      ], change: endOfLife, ended: ["private"], stay: ["stays": "ESTAB"]),
    Row(
      "an address that was never seen configured (AnyIP)",
      before: [alias, "route add local 198.51.100.77 dev lo"], beforeFar: ["route add 198.51.100.77 via 192.0.2.2"],
      [other, Connection(name: "any", local: "198.51.100.77")],
      change: "route delete local 198.51.100.77 dev lo", removal, ended: ["other"], stay: ["any": "ESTAB"]),
    Row(
      "a local route still has the address",
      before: [alias, "route add local 198.51.100.77 dev lo table local metric 5"] + [
        "address add 198.51.100.77/32 dev eth0"
      ], beforeFar: ["route add 198.51.100.77 via 192.0.2.2"],
      [other, Connection(name: "any", local: "198.51.100.77")],
      change: "address delete 198.51.100.77/32 dev eth0", removal, ended: ["other"], stay: ["any": "ESTAB"]),
    Row(
      "a transparent proxy, also with an address that was configured",
      before: [alias, "route add local 198.51.100.77 dev lo"], beforeFar: ["route add 198.51.100.77 via 192.0.2.2"],
      [
        other, Connection(name: "foreign", local: "198.51.100.77", kind: "transparent"),
        Connection(name: "former", local: "192.0.2.7", kind: "transparent"),
      ], change: "route delete local 198.51.100.77 dev lo", removal, ended: ["other"],
      stay: ["foreign": "ESTAB", "former": "ESTAB"]),
  ]
  /// A command that gives the address the rest of its life.
  private static let endOfLife = "-6 address change 2001:db8:2::77/64 dev eth0 valid_lft 1 preferred_lft 1"

  @Test("a situation, and the fate of each connection", arguments: rows)
  func situation(_ row: Row) async throws {
    try await EndingStage.with { stage in
      try await Self.prepare(stage, promotes: row.promotes)
      for command in row.before { try await stage.network.ip(command) }
      for command in row.beforeFar { try await stage.network.ipFar(command) }
      let peers = try await stage.connect(row.connections)
      let ender = try await stage.startEnder()
      for command in row.change { try await stage.network.ip(command) }
      for name in row.ended { #expect(try await peers.fate(of: name) == "ECONNABORTED", "\(name)") }
      for (name, state) in row.stay {
        #expect(!peers.hasEnded(name), "\(name)")
        #expect(try await peers.state(of: name) == state, "\(name)")
      }
      let endings = try await stage.endings(row.ended.count, of: ender)
      #expect(endings.count == row.ended.count, "\(endings)")
      #expect(ender.isRunning)
    }
  }

  /// The second cable, down to its address, and an IPv6 address that lives for long.
  private static func prepare(_ stage: EndingStage, promotes: Bool) async throws {
    let (near, far) = (stage.network.near, stage.network.far)
    try await stage.network.ip("link add eth1 type veth peer name eth1 netns \(far)", "link set eth1 up")
    for command in ["link set eth1 up", "address add 198.51.100.1/24 dev eth1"] {
      try await stage.network.ipFar(command)
    }
    try await stage.network.ip("-6 address add 2001:db8:2::77/64 dev eth0 nodad valid_lft 1000 preferred_lft 500")
    let promotion = "promote_secondaries=\(promotes ? 1 : 0)"
    for (namespace, setting) in [
      (near, "net.ipv4.conf.all.rp_filter=0"), (far, "net.ipv4.conf.all.rp_filter=0"),
      (near, "net.ipv4.conf.all.\(promotion)"), (near, "net.ipv4.conf.eth0.\(promotion)"),
    ] { try await RunningProgram.succeed(["ip", "netns", "exec", namespace, "sysctl", "-qw", setting]) }
  }
}

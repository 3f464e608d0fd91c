import Glibc
import ProcessTestSupport
import Testing

/// The rule against the kernel: what happens to real sockets, a situation a row.
@Suite("Connections whose address is gone", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct SituationTests {
  /// Commands of `ip` that situations share.
  private static let commands = [
    "second": ["address add 198.51.100.2/24 dev eth1", "route add default via 198.51.100.1 dev eth1 metric 200"],
    "alias": ["address add 192.0.2.7/24 dev eth0"], "removal": ["address delete 192.0.2.7/24 dev eth0"],
    "sentinel": ["address add 192.0.2.8/24 dev eth0"], "end of sentinel": ["address delete 192.0.2.8/24 dev eth0"],
    "route": ["route replace default via 192.0.2.1 dev eth0 metric 100"],
    "anyip": ["route add local 198.51.100.77 dev lo"], "end of anyip": ["route delete local 198.51.100.77 dev lo"],
  ]

  /// Situations: the commands before, beside 192.0.2.2 and 2001:db8:2::2 on eth0, with `far` for the machine of the
  /// server, and `promotes` if a secondary address becomes the primary one when that is removed; the connections, as
  /// `name@address/kind`; the change; the connections that end with an error, and those that stay, with their states.
  static let rows = [
    (
      "a VPN goes down, and the path is satisfied over eth0", "second", "first@192.0.2.2 vpn@198.51.100.2",
      "link delete eth1", "vpn", "first"
    ),
    (
      "from one network to another", "second", "first@192.0.2.2 next@198.51.100.2",
      "address flush dev eth0; link set eth0 down", "first", "next"
    ),
    (
      "DHCP gives another address", "", "first@192.0.2.2",
      "address delete 192.0.2.2/24 dev eth0; address add 192.0.2.3/24 dev eth0; route", "first", ""
    ),
    ("an alias is removed on purpose", "alias", "first@192.0.2.2 other@192.0.2.7", "removal", "other", "first"),
    (
      "the address moves to another interface", "alias; sentinel; second",
      "first@192.0.2.2 other@192.0.2.7 sentinel@192.0.2.8",
      "removal; address add 192.0.2.7/32 dev eth1; end of sentinel", "sentinel", "first other"
    ),
    (
      "the same address is back within the grace", "alias; sentinel", "other@192.0.2.7 sentinel@192.0.2.8",
      "removal; alias; end of sentinel", "sentinel", "other"
    ),
    (
      "a removed primary address takes its secondaries along, and one comes back", "alias; sentinel",
      "first@192.0.2.2 other@192.0.2.7 lost@192.0.2.8", "address delete 192.0.2.2/24 dev eth0; alias; route",
      "first lost", "other"
    ),
    (
      "a removed primary address, whose secondary is promoted", "promotes; alias", "first@192.0.2.2 other@192.0.2.7",
      "address delete 192.0.2.2/24 dev eth0; route", "first", "other"
    ),
    (
      "sockets that listen and those of loopback", "alias",
      "other@192.0.2.7 listener@192.0.2.7/listen loopback@127.0.0.1/loop",
      "removal; address delete 127.0.0.1/8 dev lo", "other", "listener=LISTEN loopback"
    ),
    (
      "half-closed by either end, not connected yet, and only waiting for late packets", "alias",
      """
      half@192.0.2.7/half-closed closing@192.0.2.7/close-wait calling@192.0.2.7/syn-sent waiting@192.0.2.7/time-wait
      """, "removal", "half closing calling", "waiting=TIME-WAIT"
    ),
    (
      "a socket of IPv6 that uses IPv4", "alias", "mapped@::ffff:192.0.2.7 stays@::ffff:192.0.2.2", "removal", "mapped",
      "stays"
    ),
    (
      "the lifetime of an IPv6 privacy address ends", "", "stays@2001:db8:2::2 private@2001:db8:2::77",
      "-6 address change 2001:db8:2::77/64 dev eth0 valid_lft 1 preferred_lft 1", "private", "stays"
    ),
    (
      "an address that was never seen configured (AnyIP)", "alias; anyip; far route add 198.51.100.77 via 192.0.2.2",
      "other@192.0.2.7 any@198.51.100.77", "end of anyip; removal", "other", "any"
    ),
    (
      "a local route still has the address",
      """
      alias; route add local 198.51.100.77 dev lo table local metric 5; address add 198.51.100.77/32 dev eth0; \
      far route add 198.51.100.77 via 192.0.2.2
      """, "other@192.0.2.7 any@198.51.100.77", "address delete 198.51.100.77/32 dev eth0; removal", "other", "any"
    ),
    (
      "a transparent proxy, also with an address that was configured",
      "alias; anyip; far route add 198.51.100.77 via 192.0.2.2",
      "other@192.0.2.7 foreign@198.51.100.77/transparent former@192.0.2.7/transparent", "end of anyip; removal",
      "other", "foreign former"
    ),
    (
      "a family without a path, as before the answer of DHCP, although the other family has one",
      "alias; -6 address add 2001:db8:2::8/64 dev eth0 nodad", "other@192.0.2.7 sixth@2001:db8:2::8",
      """
      address flush dev eth0 scope global; -6 address add 2001:db8:2::2/64 dev eth0 nodad; \
      -6 route replace default via 2001:db8:2::1 dev eth0
      """, "sixth", "other"
    ),
  ]

  private static func list(_ text: String) -> [String] {
    text.split(separator: "; ").flatMap { commands[String($0)] ?? [String($0)] }
  }

  private static func connection(_ word: Substring) -> EndingStage.Connection {
    let parts = word.split { "@/".contains($0) }.map(String.init)
    var connection = EndingStage.Connection(name: parts[0], local: parts[1])
    if parts.count > 2 { connection.kind = parts[2] }
    if connection.kind == "syn-sent" { connection.remote = EndingStage.silent }
    if parts[1].contains(":") {
      connection.remote = parts[1].hasPrefix("::ffff:") ? EndingStage.mapped : EndingStage.serverIPv6
    }
    return connection
  }

  @Test("a situation, and the fate of each connection", arguments: rows)
  func situation(
    _ name: String, before: String, connections: String, change: String, ended: String, stay: String
  ) async throws {
    try await EndingStage.with { stage in
      try await Self.prepare(stage, promotes: before.hasPrefix("promotes"))
      for command in Self.list(before) where command != "promotes" {
        if command.hasPrefix("far ") {
          try await stage.network.ipFar(String(command.dropFirst(4)))
        } else {
          try await stage.network.ip(command)
        }
      }
      let peers = try await stage.connect(connections.split(separator: " ").map(Self.connection))
      let ender = try await stage.startEnder()
      for command in Self.list(change) { try await stage.network.ip(command) }
      let names = ended.split(separator: " ").map(String.init)
      for name in names { #expect(try await peers.fate(of: name) == "ECONNABORTED", "\(name)") }
      for words in stay.split(separator: " ").map({ $0.split(separator: "=").map(String.init) }) {
        #expect(!peers.hasEnded(words[0]), "\(words)")
        #expect(try await peers.state(of: words[0]) == (words.count > 1 ? words[1] : "ESTAB"), "\(words)")
      }
      let endings = try await stage.endings(names.count, of: ender)
      #expect(endings.count == names.count, "\(endings)")
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

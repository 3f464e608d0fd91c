import PathModel
import PathTestSupport
import Testing

/// A path that comes at a second, with the changes since the first one at the end of the time that it lasts.
private typealias Stop = (second: Double, way: String, changes: PathChanges)

@Suite("Changes of the way of a path")
struct PathFootingTests {
  private typealias Footing = PathFooting<ContinuousClock.Instant>
  private static let start = ContinuousClock.now
  private static func at(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  private static func check(_ stops: [Stop], lasting rest: Double) throws {
    var footing = Footing(try .way(stops[0].way))
    for (second, way, expected) in stops {
      let path = try NetworkPath.way(way)
      _ = footing.changes(to: path, at: at(second))
      let changes = footing.changes(to: path, at: at(second + rest))
      #expect(changes == expected, "second \(second), \(way): \(changes.words)")
    }
  }

  private static let (one, another) = ("eth0 192.0.2.2/24 via 192.0.2.1", "wlan0 198.51.100.2/24 via 198.51.100.1")
  private static let dual = "eth0 192.0.2.2/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0"
  private static let (ipv4, ipv6) = (one, "eth0 2001:db8::2/64 via fe80::1%eth0")
  private static let elsewhere: PathChanges = [.source, .interface, .gateway, .addresses]

  /// Each path comes a minute after the one before, so that what is missing in it is gone.
  private static let settled: [(rule: String, paths: [(way: String, changes: PathChanges)])] = [
    ("an equal path is no change, nor is one that returns after a loss", [(dual, []), ("offline", []), (dual, [])]),
    (
      "another network is another source, interface, router and set of addresses, until the first is back",
      [(one, []), (another, elsewhere), ("offline", []), (another, elsewhere), (one, [])]
    ),
    (
      "an interface that appears beside the one with the traffic is no change", [(one, []), ("\(one), \(another)", [])]
    ),
    (
      "the same addresses over another interface are a change of the interface alone",
      [(one, []), ("wlan0 192.0.2.2/24 via 192.0.2.1", .interface), ("eth0#99 192.0.2.2/24 via 192.0.2.1", .interface)]
    ),
    (
      "a tunnel keeps its source whatever carries it",
      [
        ("wg0 10.0.0.2/32, \(one)", []), ("wg0 10.0.0.2/32, \(another)", []),
        (one, [.source, .interface, .addresses]),
      ]
    ),
    (
      "another address by DHCP is another source, a renewed lease is none",
      [(one, []), (one, []), ("eth0 192.0.2.77/24 via 192.0.2.1", [.source, .addresses])]
    ),
    (
      "an alias that comes or goes is no other source, a route with another one is",
      [
        ("eth0 192.0.2.2/24", []), ("eth0 192.0.2.2/24 192.0.2.3/24", .addresses),
        ("eth0 192.0.2.2/24 192.0.2.3/24 from 192.0.2.3", [.source, .addresses]), ("eth0 192.0.2.2/24", []),
      ]
    ),
    (
      "a family that comes is no change, and its loss is one, also if it came after the start",
      [(ipv4, []), (dual, .addresses), (ipv4, [.source, .gateway]), (dual, .addresses)]
    ),
    (
      "a younger IPv6 address is no other source before the first one goes",
      [
        ("eth0 192.0.2.2/24 2001:db8::a/64", []),
        ("eth0 192.0.2.2/24 2001:db8::a/64 2001:db8::b/64 from 192.0.2.2 2001:db8::b", .addresses),
        ("eth0 192.0.2.2/24 2001:db8::b/64 2001:db8::c/64 from 192.0.2.2 2001:db8::c", [.source, .addresses]),
      ]
    ),
    (
      "an IPv6 source of another interface is one while the first address is still there",
      [
        ("eth0 2001:db8::a/64", []),
        ("wlan0 2001:db8:1::b/64, eth0 2001:db8::a/64", [.source, .interface, .addresses]),
      ]
    ),
    (
      "another router is a change, one of an interface beside is none",
      [
        (one, []), ("eth0 192.0.2.2/24 via 192.0.2.9", .gateway),
        ("\(one), wlan0 198.51.100.2/24 via 198.51.100.9", []),
      ]
    ),
    (
      "an unmetered path after a metered one is better",
      [
        ("eth0 192.0.2.2/24", []), ("eth0 192.0.2.2/24 metered", []), ("eth0 192.0.2.2/24 doubtful", []),
        ("eth0 192.0.2.2/24", .better),
      ]
    ),
    (
      "it is better whatever was at the start",
      [("wwan0 10.0.0.2/32 metered", []), ("eth0 192.0.2.2/24", [.source, .interface, .addresses, .better])]
    ),
  ]

  @Test(arguments: settled)
  func `paths that last have the changes since the first`(
    rule: String, paths: [(way: String, changes: PathChanges)]
  ) throws {
    try Self.check(paths.enumerated().map { (Double($0) * 60, $1.way, $1.changes) }, lasting: 60)
  }

  private static let early = "eth0 192.0.2.2/24 2001:db8::77/64 via 192.0.2.1 fe80::1%eth0"
  private static let both = "eth0 192.0.2.2/24 2001:db8::2/128 2001:db8::77/64 via 192.0.2.1 fe80::1%eth0"
  private static let gone: PathChanges = [.source, .gateway, .addresses]

  /// A network that comes back in pieces.
  private static let pieces: [(rule: String, stops: [Stop])] = [
    (
      "a family that does not return is a change after some seconds, and until it returns",
      [
        (0, dual, []), (1, "offline", []), (20, ipv6, []), (29.9, ipv6, []), (30, ipv6, gone), (31, ipv6, gone),
        (40, dual, []),
      ]
    ),
    (
      "a second loss begins the wait anew",
      [(0, dual, []), (1, ipv6, []), (9, "offline", []), (15, ipv6, []), (24, ipv6, []), (25, ipv6, gone)]
    ),
    (
      "a family that returns with another address is a change at once",
      [
        (0, dual, []), (1, "offline", []), (5, ipv6, []),
        (7, "eth0 192.0.2.77/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0", [.source, .addresses]),
      ]
    ),
    (
      "another network is a change at once",
      [(0, dual, []), (1, "wlan0 2001:db8:9::2/64 via fe80::9%wlan0", elsewhere)]
    ),
    (
      "an IPv6 address that comes before the former one in the same prefix is no change yet",
      [(0, both, []), (1, "offline", []), (2, early, []), (11.9, early, []), (11.9, both, [])]
    ),
    (
      "it is one if the former one does not come",
      [(0, both, []), (1, early, []), (11, early, [.source, .addresses])]
    ),
    (
      "over another interface it is another connection to the same network",
      [(0, "eth0 2001:db8::2/64", []), (1, "wlan0 2001:db8::77/64", [.source, .interface, .addresses])]
    ),
  ]

  @Test(arguments: pieces)
  fileprivate func `paths that follow each other within seconds have the changes since the first`(
    rule: String, stops: [Stop]
  ) throws {
    try Self.check(stops, lasting: 0)
  }

  @Test(arguments: [ipv4, ipv6])
  func `a family that returns later is no change, in whichever order and however the families have gone`(first: String)
    throws
  {
    let other = first == Self.ipv4 ? Self.ipv6 : Self.ipv4
    for stops: [Stop] in [
      [(0, Self.dual, []), (1, "offline", []), (20, first, []), (29.9, first, []), (29.9, Self.dual, [])],
      [
        (0, Self.dual, []), (1, other, []), (1.1, "offline", []), (4, first, []), (9, Self.dual, []),
        (50, Self.dual, []),
      ],
      // The path does not go at all.
      [(0, Self.dual, []), (1, first, []), (8, Self.dual, [])],
    ] { try Self.check(stops, lasting: 0) }
  }

  @Test func `without sources, as from an older service, the addresses of the first interface decide`() throws {
    func blind(_ text: String) throws -> NetworkPath {
      var path = try NetworkPath.way(text)
      path.sourceAddresses = []
      return path
    }
    var footing = Footing(try blind("eth0 192.0.2.2/24"))
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24"), at: Self.start) == [])
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24 2001:db8::a/64"), at: Self.start) == .addresses)
    #expect(footing.changes(to: try blind("eth0 192.0.2.3/24"), at: Self.start) == [.source, .addresses])
    // The newer service comes, and goes.
    #expect(footing.changes(to: try .way("eth0 192.0.2.2/24"), at: Self.start) == [])
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24"), at: Self.start) == [])
  }

  @Test func `the moment at which a family counts as gone is known`() throws {
    var footing = Footing(try .way(Self.dual))
    #expect(footing.due(after: Self.start) == nil)
    _ = footing.changes(to: try .way(Self.ipv6), at: Self.at(3))
    #expect(footing.due(after: Self.at(3)) == Self.at(13) && footing.due(after: Self.at(13)) == nil)
    _ = footing.changes(to: try .way(Self.dual), at: Self.at(4))
    #expect(footing.due(after: Self.at(4)) == nil)
  }

  @Test func `a program that was told of another way keeps waiting for what is missing`() throws {
    var footing = Footing(try .way(Self.dual))
    let alias = "eth0 2001:db8::2/64 2001:db8::3/64 from 2001:db8::2 via fe80::1%eth0"
    #expect(footing.changes(to: try .way(alias), at: Self.at(1)) == .addresses)
    footing.move(to: try .way(alias), at: Self.at(1))
    #expect(footing.changes(to: try .way(alias), at: Self.at(2)) == [])
    #expect(footing.changes(to: try .way(alias), at: Self.at(11)) == [.source, .gateway, .addresses])
    footing.move(to: try .way(alias), at: Self.at(11))
    #expect(footing.changes(to: try .way(alias), at: Self.at(12)) == [], "it was told of that, too")
  }

  @Test func `a prefix that the network has given up is another source, although the address is still there`() throws {
    let former = try NetworkPath.way("eth0 2001:db8:a::2/64 via fe80::1%eth0")
    var path = try NetworkPath.way("eth0 2001:db8:a::2/64 2001:db8:b::2/64 from 2001:db8:b::2 via fe80::1%eth0")
    var footing = Footing(former)
    #expect(footing.changes(to: path, at: Self.start) == .addresses, "both are preferred")
    path.interfaces[0].deprecatedPrefixes = ["2001:db8:a::/64"].compactMap { NetworkInterface.Address($0) }
    #expect(footing.changes(to: path, at: Self.start) == [.source, .addresses])
    footing = Footing(path)
    #expect(footing.changes(to: path, at: Self.start) == [])
  }

  @Test func `a deprecated prefix is no other source while the kernel still gives its address`() throws {
    var path = try NetworkPath.way("eth0 2001:db8:a::2/64 via fe80::1%eth0")
    var footing = Footing(path)
    path.interfaces[0].deprecatedPrefixes = ["2001:db8:a::/64"].compactMap { NetworkInterface.Address($0) }
    #expect(footing.changes(to: path, at: Self.start) == [])
  }

  @Test(arguments: [NetworkPath.Knowledge.stale, .unknown])
  func `a path that is not known is no change`(knowledge: NetworkPath.Knowledge) throws {
    var footing = Footing(try .way("eth0 192.0.2.2/24"))
    var path = try NetworkPath.way("wlan0 198.51.100.2/24")
    path.knowledge = knowledge
    #expect(footing.changes(to: path, at: Self.start) == [])
  }

  @Test func `changes are words for programs and a phrase for people`() {
    #expect(PathChanges([.interface, .source]).words == ["source", "interface"])
    #expect(PathChanges.source.phrase == "another source address")
    #expect(
      PathChanges([.better, .source, .gateway]).phrase
        == "another source address, another router and an unmetered path")
  }
}

import PathModel
import PathTestSupport
import Testing

/// Each test is a table of paths, with the changes of each since the first.
@Suite("Changes of the way of a path")
struct PathFootingTests {
  private typealias Footing = PathFooting<ContinuousClock.Instant>
  private static let start = ContinuousClock.now
  private static func at(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  /// Each path comes a minute after the one before, so that what is missing in it is gone.
  private static func check(_ paths: [(String, PathChanges)], at location: SourceLocation = #_sourceLocation) throws {
    try checkTimes(paths.enumerated().map { (Double($0) * 60, $1.0, $1.1) }, lasting: 60, at: location)
  }

  /// Paths with the seconds at which they come, and the changes at the end of the time that each of them lasts.
  private static func checkTimes(
    _ paths: [(second: Double, way: String, changes: PathChanges)], lasting rest: Double = 0,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var footing = Footing(try .way(paths[0].way))
    for (second, way, expected) in paths {
      let path = try NetworkPath.way(way)
      _ = footing.changes(to: path, at: at(second))
      let changes = footing.changes(to: path, at: at(second + rest))
      #expect(changes == expected, "second \(second), \(way): \(changes.words)", sourceLocation: location)
    }
  }

  @Test func `an equal path is no change, nor is one that returns after a loss`() throws {
    let wired = "eth0 192.0.2.2/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0"
    try Self.check([(wired, []), ("offline", []), (wired, [])])
  }

  @Test func `another network is another source, interface, router and set of addresses, until the first is back`()
    throws
  {
    let wired = "eth0 192.0.2.2/24 via 192.0.2.1"
    let wireless = "wlan0 198.51.100.2/24 via 198.51.100.1"
    let all: PathChanges = [.source, .interface, .gateway, .addresses]
    try Self.check([(wired, []), (wireless, all), ("offline", []), (wireless, all), (wired, [])])
  }

  @Test func `an interface that appears beside the one with the traffic is no change`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 via 192.0.2.1", []),
      ("eth0 192.0.2.2/24 via 192.0.2.1, wlan0 198.51.100.2/24 via 198.51.100.1", []),
    ])
  }

  @Test func `the same addresses over another interface are a change of the interface alone`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 via 192.0.2.1", []), ("wlan0 192.0.2.2/24 via 192.0.2.1", .interface),
      ("eth0#99 192.0.2.2/24 via 192.0.2.1", .interface),
    ])
  }

  @Test func `a tunnel keeps its source whatever carries it`() throws {
    try Self.check([
      ("wg0 10.0.0.2/32, eth0 192.0.2.2/24 via 192.0.2.1", []),
      ("wg0 10.0.0.2/32, wlan0 198.51.100.2/24 via 198.51.100.1", []),
      ("eth0 192.0.2.2/24 via 192.0.2.1", [.source, .interface, .addresses]),
    ])
  }

  // MARK: The source

  @Test func `another address by DHCP is another source, a renewed lease is none`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 via 192.0.2.1", []), ("eth0 192.0.2.2/24 via 192.0.2.1", []),
      ("eth0 192.0.2.77/24 via 192.0.2.1", [.source, .addresses]),
    ])
  }

  @Test func `an alias that comes or goes is no other source, a route with another one is`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24", []), ("eth0 192.0.2.2/24 192.0.2.3/24", .addresses),
      ("eth0 192.0.2.2/24 192.0.2.3/24 from 192.0.2.3", [.source, .addresses]), ("eth0 192.0.2.2/24", []),
    ])
  }

  @Test func `a family that comes is no change, and its loss is one, also if it came after the start`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 via 192.0.2.1", []),
      ("eth0 192.0.2.2/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0", .addresses),
      ("eth0 192.0.2.2/24 via 192.0.2.1", [.source, .gateway]),
      ("eth0 192.0.2.2/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0", .addresses),
    ])
  }

  @Test func `a younger IPv6 address is no other source before the first one goes`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 2001:db8::a/64", []),
      ("eth0 192.0.2.2/24 2001:db8::a/64 2001:db8::b/64 from 192.0.2.2 2001:db8::b", .addresses),
      ("eth0 192.0.2.2/24 2001:db8::b/64 2001:db8::c/64 from 192.0.2.2 2001:db8::c", [.source, .addresses]),
    ])
  }

  @Test func `an IPv6 source of another interface is one while the first address is still there`() throws {
    try Self.check([
      ("eth0 2001:db8::a/64", []),
      ("wlan0 2001:db8:1::b/64, eth0 2001:db8::a/64", [.source, .interface, .addresses]),
    ])
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

  // MARK: A network that comes back in pieces

  private static let dual = "eth0 192.0.2.2/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0"
  private static let (ipv4, ipv6) = ("eth0 192.0.2.2/24 via 192.0.2.1", "eth0 2001:db8::2/64 via fe80::1%eth0")

  @Test(arguments: [ipv4, ipv6])
  func `a family that returns later is no change, in whichever order and however the families have gone`(first: String)
    throws
  {
    let other = first == Self.ipv4 ? Self.ipv6 : Self.ipv4
    try Self.checkTimes([
      (0, Self.dual, []), (1, "offline", []), (20, first, []), (29.9, first, []), (29.9, Self.dual, []),
    ])
    try Self.checkTimes([
      (0, Self.dual, []), (1, other, []), (1.1, "offline", []), (4, first, []), (9, Self.dual, []), (50, Self.dual, []),
    ])
    // The path does not go at all.
    try Self.checkTimes([(0, Self.dual, []), (1, first, []), (8, Self.dual, [])])
  }

  @Test func `a family that does not return is a change after some seconds, and until it returns`() throws {
    let gone: PathChanges = [.source, .gateway, .addresses]
    try Self.checkTimes([
      (0, Self.dual, []), (1, "offline", []), (20, Self.ipv6, []), (29.9, Self.ipv6, []), (30, Self.ipv6, gone),
      (31, Self.ipv6, gone), (40, Self.dual, []),
    ])
  }

  @Test func `a second loss begins the wait anew`() throws {
    try Self.checkTimes([
      (0, Self.dual, []), (1, Self.ipv6, []), (9, "offline", []), (15, Self.ipv6, []), (24, Self.ipv6, []),
      (25, Self.ipv6, [.source, .gateway, .addresses]),
    ])
  }

  @Test func `a family that returns with another address is a change at once`() throws {
    try Self.checkTimes([
      (0, Self.dual, []), (1, "offline", []), (5, Self.ipv6, []),
      (7, "eth0 192.0.2.77/24 2001:db8::2/64 via 192.0.2.1 fe80::1%eth0", [.source, .addresses]),
    ])
  }

  @Test func `what says that the network is another one is a change at once`() throws {
    try Self.checkTimes([
      (0, Self.dual, []), (1, "wlan0 2001:db8:9::2/64 via fe80::9%wlan0", [.source, .interface, .gateway, .addresses]),
    ])
  }

  @Test func `an IPv6 address that comes before the former one in the same prefix is no change yet`() throws {
    let early = "eth0 192.0.2.2/24 2001:db8::77/64 via 192.0.2.1 fe80::1%eth0"
    let both = "eth0 192.0.2.2/24 2001:db8::2/128 2001:db8::77/64 via 192.0.2.1 fe80::1%eth0"
    try Self.checkTimes([(0, both, []), (1, "offline", []), (2, early, []), (11.9, early, []), (11.9, both, [])])
    try Self.checkTimes([(0, both, []), (1, early, []), (11, early, [.source, .addresses])])
    // Over another interface it is another connection to the same network.
    try Self.checkTimes([
      (0, "eth0 2001:db8::2/64", []), (1, "wlan0 2001:db8::77/64", [.source, .interface, .addresses]),
    ])
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

  // MARK: Another prefix

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

  // MARK: The router and the cost

  @Test func `another router is a change, one of an interface beside is none`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24 via 192.0.2.1", []), ("eth0 192.0.2.2/24 via 192.0.2.9", .gateway),
      ("eth0 192.0.2.2/24 via 192.0.2.1, wlan0 198.51.100.2/24 via 198.51.100.9", []),
    ])
  }

  @Test func `an unmetered path after a metered one is better, whatever was at the start`() throws {
    try Self.check([
      ("eth0 192.0.2.2/24", []), ("eth0 192.0.2.2/24 metered", []), ("eth0 192.0.2.2/24 doubtful", []),
      ("eth0 192.0.2.2/24", .better),
    ])
    try Self.check([
      ("wwan0 10.0.0.2/32 metered", []), ("eth0 192.0.2.2/24", [.source, .interface, .addresses, .better]),
    ])
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

import PathModel
import PathTestSupport
import Testing

/// Each test is a table of paths, with the changes of each since the first.
@Suite("Changes of the way of a path")
struct PathFootingTests {
  private static func check(_ paths: [(String, PathChanges)], at location: SourceLocation = #_sourceLocation) throws {
    var footing = PathFooting(try .way(paths[0].0))
    for (text, expected) in paths {
      let changes = footing.changes(to: try .way(text))
      #expect(changes == expected, "\(text): \(changes.words)", sourceLocation: location)
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
    var footing = PathFooting(try blind("eth0 192.0.2.2/24"))
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24")) == [])
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24 2001:db8::a/64")) == .addresses)
    #expect(footing.changes(to: try blind("eth0 192.0.2.3/24")) == [.source, .addresses])
    // The newer service comes, and goes.
    #expect(footing.changes(to: try .way("eth0 192.0.2.2/24")) == [])
    #expect(footing.changes(to: try blind("eth0 192.0.2.2/24")) == [])
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
    var footing = PathFooting(try .way("eth0 192.0.2.2/24"))
    var path = try NetworkPath.way("wlan0 198.51.100.2/24")
    path.knowledge = knowledge
    #expect(footing.changes(to: path) == [])
  }

  @Test func `changes are words for programs and a phrase for people`() {
    #expect(PathChanges([.interface, .source]).words == ["source", "interface"])
    #expect(PathChanges.source.phrase == "another source address")
    #expect(
      PathChanges([.better, .source, .gateway]).phrase
        == "another source address, another router and an unmetered path")
  }
}

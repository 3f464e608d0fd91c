import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The walk down to the cards")
struct CarrierWalkTests {
  private static let server = IPAddress.literal("203.0.113.5")

  /// A kernel with `eth0` (2), by which a router leads to a server, and links on the way of the default route: over the
  /// first of them.
  private static func kernel(_ links: LinkFacts...) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("203.0.113.0/24", .via("192.0.2.1", "eth0")))
    for link in links { kernel.install(link) }
    kernel.addAddress("192.168.50.2/24", to: links[0].name)
    kernel.addRoute(RouteSpec("default", .via("192.168.50.1", links[0].name)))
    return kernel
  }

  /// A tunnel to the server.
  private static var tunnel: LinkFacts {
    var link = LinkFacts.up(9, "vpn0", kind: "vxlan")
    link.serverAddress = server
    return link
  }

  private static let bridge = LinkFacts.up(5, "br0", kind: "bridge")

  @Test func `a bridge over a tunnel of which no route tells the way rests on the link that leads to routers`() throws {
    var pseudowire = LinkFacts.up(9, "l2tp0", master: 5)
    pseudowire.device = DeviceFacts(deviceType: "l2tpeth", isVirtual: true)
    var kernel = Self.kernel(Self.bridge)
    kernel.devices = [9: DeviceFacts(deviceType: "l2tpeth", isVirtual: true)]
    kernel.install(pseudowire)
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test("a tunnel over IPv6 from an address that is on no link carries nothing", arguments: ["ip6tnl", "ip6gre"])
  func lostSource(kind: String) throws {
    var tunnel = LinkFacts.up(9, "ds0", kind: kind, hardwareType: 769)
    (tunnel.serverAddress, tunnel.tunnelSource) = (.literal("2001:db8:ffff::1"), .literal("2001:db8::2"))
    var kernel = Self.kernel(tunnel)
    kernel.addRoute(RouteSpec("2001:db8:ffff::/48", .via("fe80::1", "eth0")))
    let evaluation = try kernel.evaluate()
    #expect(evaluation.families[0].obstacle == ProbeObstacle(.noRoute, at: 9))
    #expect(try kernel.causes().first?.sentence.contains("2001:db8::2 from which it sends is on no link") == true)
    kernel.addAddress("2001:db8::2/64", to: "eth0")
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `a tunnel that has no peer for the destinations carries nothing, and is read again`() throws {
    var kernel = Self.kernel(.up(9, "wg0", kind: "wireguard", hardwareType: HardwareType.none))
    #expect(try kernel.evaluate().path.status == .satisfied, "its servers are not known")
    kernel.serverQueries[9] = []
    let evaluation = try kernel.evaluate()
    #expect(evaluation.families[0].obstacle == ProbeObstacle(.noRoute, at: 9))
    #expect(evaluation.restsOnReadings)
    #expect(try kernel.causes().first?.sentence.contains("none of its peers") == true)
  }

  @Test func `a tunnel in a routing domain looks its server up in the tables of the domain`() throws {
    var tunnel = Self.tunnel
    tunnel.parentIndex = 4
    var kernel = Self.kernel(tunnel, .up(4, "red", kind: "vrf"), .up(3, "eth1", master: 4))
    kernel.scriptedAnswers[RouteQuery(destination: Self.server, kind: .resolve, interfaceIndex: 4, user: 0)] =
      .route(RouteFacts(table: 10, legs: [RouteLeg(interfaceIndex: 3)]))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth1"])
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a tunnel whose server is behind a routing domain carries nothing without a route in its tables`() throws {
    var kernel = Self.kernel(Self.tunnel, .up(4, "red", kind: "vrf"), .up(3, "eth1", master: 4))
    kernel.addAddress("198.51.100.2/24", to: "eth1")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via(nil, "red")))
    let query = RouteQuery(destination: Self.server, kind: .match, interfaceIndex: 4)
    kernel.scriptedAnswers[query] = .route(RouteFacts(table: 10, legs: [RouteLeg(interfaceIndex: 3)]))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["red"])
    kernel.scriptedAnswers[query] = .refused(errorNumber: LookupRefusal.noRoute.rawValue)
    #expect(try kernel.evaluate().families[0].obstacle == ProbeObstacle(.noRoute, at: 4))
  }

  @Test func `the way of a tunnel in another one includes that of the other`() throws {
    var lower = LinkFacts.up(7, "t1", kind: "vxlan")
    lower.serverAddress = .literal("203.0.113.9")
    var kernel = Self.kernel(Self.tunnel, lower)
    kernel.addAddress("10.9.0.2/24", to: "t1")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("10.9.0.1", "t1")))
    let ways = try kernel.evaluate().ways
    #expect(ways.underlays[7] != nil)
    #expect(ways.carrying.contains(7))
    #expect(Set(ways.carryingLegs.compactMap(\.gateway)).isSuperset(of: ways.underlays[7]!.compactMap(\.gateway)))
  }

  @Test func `a bridge that tells VLANs apart leads out by the ports of the VLAN alone`() throws {
    var bridge = Self.bridge
    bridge.vlanFilter = VLANFilter([1...1, 10...10], own: 1)
    var card = LinkFacts.up(7, "nic0", master: 5)
    card.vlanFilter = VLANFilter([2...4_094])
    var kernel = Self.kernel(bridge, card)
    #expect(try kernel.evaluate().path.status == .unsatisfied, "the card is no member of VLAN 1")
    var vlan = LinkFacts.up(8, "br0.10", kind: "vlan", parent: 5)
    vlan.vlan = 10
    kernel.install(vlan, "192.168.60.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.168.60.1", "br0.10")))
    kernel.deleteRoute(RouteSpec("default", .via("192.168.50.1", "br0")))
    #expect(try kernel.evaluate().path.interfaces.first?.name == "br0.10")
  }

  @Test func `MACsec without a key waits for one, and is looked at again soon`() throws {
    var link = LinkFacts.up(8, "macsec0", kind: "macsec", parent: 2)
    link.lacksKey = true
    var kernel = Self.kernel(link)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .dormant)
    #expect(evaluation.reevaluateAfter == .seconds(1))
    link.lacksKey = false
    kernel.install(link)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `names cannot be looked up where no program serves this machine, and the next look is soon`() throws {
    var kernel = Self.kernel(.up(3, "eth1"))
    kernel.resolver = .localResolver(upstream: ["192.0.2.53"])
    #expect(try kernel.evaluate().path.supportsDNS, "the sockets cannot be read")
    kernel.servedAddresses = []
    let evaluation = try kernel.evaluate()
    #expect(!evaluation.path.supportsDNS)
    #expect(evaluation.reevaluateAfter == .seconds(5))
    #expect(evaluation.restsOnReadings, "no answer of the kernel shows that the program begins to serve")
    #expect(try kernel.causes().first?.code == .nameServerUnreachable)
    kernel.servedAddresses = [.literal("127.0.0.53")]
    #expect(try kernel.evaluate().path.supportsDNS)
    kernel.setDown("lo")
    #expect(try !kernel.evaluate().path.supportsDNS)
  }
}

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

  /// A tunnel to the server, as the port of a link.
  private static func tunnel(_ kind: String, master: Int32? = nil) -> LinkFacts {
    var link = LinkFacts.up(9, "vpn0", kind: kind, master: master)
    link.serverAddress = server
    return link
  }

  private static let bridge = LinkFacts.up(5, "br0", kind: "bridge")

  // MARK: Tunnels as ports

  @Test("a bridge is as alive as the link that carries its tunnel", arguments: ["vxlan", "gretap", "geneve"])
  func bridgeOfTunnel(kind: String) throws {
    var kernel = Self.kernel(Self.bridge, Self.tunnel(kind, master: 5))
    #expect(try kernel.evaluate().path.interfaces.first?.name == "br0")
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
    kernel.setCarrier("eth0", true)
    kernel.deleteRoute(RouteSpec("203.0.113.0/24", .via("192.0.2.1", "eth0")))
    #expect(try kernel.evaluate().path.status == .unsatisfied, "its packets come back to the bridge")
  }

  @Test(
    "neither a container nor a virtual machine keeps a bridge alive that a tunnel feeds", arguments: ["veth", "tun"])
  func guestBesideTunnel(kind: String) throws {
    var kernel = Self.kernel(Self.bridge, Self.tunnel("vxlan", master: 5), .up(6, "guest0", kind: kind, master: 5))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a tunnel feeds a bridge while nothing is plugged into its card, and the other way round`() throws {
    var kernel = Self.kernel(Self.bridge, Self.tunnel("vxlan", master: 5), .up(7, "lan1", master: 5))
    kernel.setCarrier("lan1", false)
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied && path.interfaceType == .wiredEthernet && !path.usesTunnel)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
    kernel.setCarrier("lan1", true)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `a bridge over a tunnel costs what the card at the end costs`() throws {
    var kernel = Self.kernel(Self.bridge, Self.tunnel("vxlan", master: 5))
    kernel.install(.up(3, "wwan0", kind: "wwan", hardwareType: HardwareType.none), "10.64.0.2/30")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via(nil, "wwan0")))
    let path = try kernel.evaluate().path
    #expect(path.isExpensive)
    #expect(path.interfaces.first?.underlyingTypes == [.other, .cellular])
  }

  @Test("the tap of a VPN is a tunnel also as the port of a bond or a mesh", arguments: ["bond", "team", "batadv"])
  func tapAsPort(kind: String) throws {
    var kernel = Self.kernel(.up(5, "x0", kind: kind), .up(9, "tap0", kind: "tun", master: 5))
    let path = try kernel.evaluate().path
    #expect(path.usesTunnel && path.interfaceType == .other)
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test func `a bridge over a mesh whose only port is a tap is as alive as the link with a route for the tap`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "wan", kind: "veth"), "10.1.0.2/24")
    kernel.addRoute(RouteSpec("default", .via("10.1.0.1", "wan"), table: 1))
    kernel.install(.up(9, "mesh-vpn", kind: "tun", master: 5))
    kernel.install(.up(5, "bat0", kind: "batadv", master: 6))
    kernel.install(.up(6, "br-client", kind: "bridge"), "2001:db8:f::2/64")
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "br-client")))
    #expect(try kernel.evaluate().path.interfaces.first?.name == "br-client")
    kernel.setCarrier("wan", false)
    #expect(try kernel.evaluate().path.status == .unsatisfied)
    #expect(try kernel.causes().first?.subject == "wan")
  }

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

  @Test func `a tunnel over a tunnel in a bridge is as alive as the card below both`() throws {
    var outer = LinkFacts.up(10, "tun0", kind: "tun", hardwareType: HardwareType.none)
    outer.flags.insert(.pointToPoint)
    var kernel = Self.kernel(Self.bridge, Self.tunnel("vxlan", master: 5), outer)
    kernel.addAddress("10.8.0.2/24", to: "tun0")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via(nil, "tun0")))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  // MARK: Lookups of their own

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
    var tunnel = Self.tunnel("vxlan")
    tunnel.parentIndex = 4
    var kernel = Self.kernel(tunnel, .up(4, "red", kind: "vrf"), .up(3, "eth1", master: 4))
    kernel.scriptedAnswers[RouteQuery(destination: Self.server, kind: .resolve, interfaceIndex: 4, user: 0)] =
      .route(RouteFacts(table: 10, legs: [RouteLeg(interfaceIndex: 3)]))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth1"])
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a tunnel whose server is behind a routing domain carries nothing without a route in its tables`() throws {
    var kernel = Self.kernel(Self.tunnel("vxlan"), .up(4, "red", kind: "vrf"), .up(3, "eth1", master: 4))
    kernel.addAddress("198.51.100.2/24", to: "eth1")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via(nil, "red")))
    let query = RouteQuery(destination: Self.server, kind: .match, interfaceIndex: 4)
    kernel.scriptedAnswers[query] = .route(RouteFacts(table: 10, legs: [RouteLeg(interfaceIndex: 3)]))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["red"])
    kernel.scriptedAnswers[query] = .refused(errorNumber: LookupRefusal.noRoute.rawValue)
    #expect(try kernel.evaluate().families[0].obstacle == ProbeObstacle(.noRoute, at: 4))
  }

  @Test func `a tunnel whose server is behind another one carries nothing if that has no peer for the server`() throws {
    var kernel = Self.kernel(Self.tunnel("vxlan"), .up(7, "wg0", kind: "wireguard", hardwareType: HardwareType.none))
    kernel.addAddress("198.51.100.2/24", to: "wg0")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via(nil, "wg0")))
    #expect(try kernel.evaluate().path.status == .satisfied, "its servers are not known")
    kernel.serverQueries[7] = []
    #expect(try kernel.evaluate().families[0].obstacle == ProbeObstacle(.noRoute, at: 7))
  }

  @Test func `the way of a tunnel in another one includes that of the other`() throws {
    var lower = LinkFacts.up(7, "t1", kind: "vxlan")
    lower.serverAddress = .literal("203.0.113.9")
    var kernel = Self.kernel(Self.tunnel("vxlan"), lower)
    kernel.addAddress("10.9.0.2/24", to: "t1")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("10.9.0.1", "t1")))
    let ways = try kernel.evaluate().ways
    #expect(ways.underlays[7] != nil)
    #expect(ways.carrying.contains(7))
    #expect(Set(ways.carryingLegs.compactMap(\.gateway)).isSuperset(of: ways.underlays[7]!.compactMap(\.gateway)))
  }

  // MARK: VLANs and keys

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

  // MARK: Name servers of this machine

  @Test func `names cannot be looked up where no program serves this machine, and the next look is soon`() throws {
    var kernel = Self.kernel(.up(3, "eth1"))
    kernel.resolver = .localResolver(upstream: ["192.0.2.53"])
    #expect(try kernel.evaluate().path.supportsDNS, "the sockets cannot be read")
    kernel.servedAddresses = []
    let evaluation = try kernel.evaluate()
    #expect(!evaluation.path.supportsDNS)
    #expect(evaluation.reevaluateAfter == .seconds(5))
    #expect(try kernel.causes().first?.code == .nameServerUnreachable)
    kernel.servedAddresses = [.literal("127.0.0.53")]
    #expect(try kernel.evaluate().path.supportsDNS)
    kernel.setDown("lo")
    #expect(try !kernel.evaluate().path.supportsDNS)
  }
}

import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The uplinks of tunnels and bridges")
struct UplinkTests {
  /// A kernel with the links, and a default route over the first.
  private static func kernel(_ links: LinkFacts...) -> FakeKernel {
    var kernel = FakeKernel()
    for link in links { kernel.install(link) }
    kernel.addAddress("10.8.0.2/24", to: links[0].name)
    kernel.addRoute(RouteSpec("default", .via(nil, links[0].name)))
    return kernel
  }

  private static let tunnel = LinkFacts.up(9, "wg0", kind: "wireguard", hardwareType: HardwareType.none)
  private static let tap = LinkFacts.up(5, "tap0", kind: "tun")

  // MARK: Nothing below

  @Test func `a tunnel carries nothing while every real link has no carrier`() throws {
    var kernel = Self.kernel(Self.tunnel, .up(2, "eth0"))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.status == .unsatisfied)
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.path.interfaces.isEmpty)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test func `a tunnel carries nothing while every real link is set down`() throws {
    var kernel = Self.kernel(Self.tunnel, .up(2, "eth0"), .up(3, "wlan0"))
    kernel.addAddress("192.0.2.2/24", to: "wlan0")
    kernel.setDown("eth0")
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setDown("wlan0")
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noInterface)
  }

  @Test func `a tunnel that is the only link stays usable`() throws {
    var kernel = Self.kernel(Self.tunnel)
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.install(.up(4, "docker0", kind: "bridge"))
    kernel.install(.up(6, "veth1", kind: "veth", master: 4))
    kernel.setDown("docker0")
    #expect(try kernel.evaluate().path.status == .satisfied, "the bridge of containers is no real link")
  }

  @Test func `a tunnel of which the kernel names the lower link depends on that one alone`() throws {
    var kernel = Self.kernel(.up(9, "vxlan0", kind: "vxlan", parent: 2), .up(2, "eth0"), .up(3, "eth1"))
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth1", true)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a rule that gives the type decides`() throws {
    var kernel = Self.kernel(Self.tunnel, .up(2, "eth0"))
    var rule = InterfaceRule(match: InterfaceMatch(), ruling: InterfaceRuling())
    rule.match.types = InterfaceMatch.List([.other])
    rule.ruling.type = InterfaceRuling.Word(.other, origin: "wg0.conf:4")
    kernel.judgements = JudgementMemory(InterfaceRules([rule]))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `a bridge leads nowhere while its cards have no carrier, whatever its virtual machines do`() throws {
    var kernel = Self.kernel(
      .up(4, "br0", kind: "bridge"), .up(2, "eth0", master: 4), .up(5, "tap0", kind: "tun", master: 4))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a card that spanning tree blocks is as dead as one without a cable, whatever its virtual machines do`()
    throws
  {
    var card = LinkFacts.up(2, "eth0", master: 4)
    card.isBlockedPort = true
    var kernel = Self.kernel(.up(4, "br0", kind: "bridge"), card, .up(5, "tap0", kind: "tun", master: 4))
    let path = try kernel.evaluate()
    #expect(path.path.unsatisfiedReason == .noCarrier)
    #expect(path.families[0].obstacle?.interfaceIndex == 2)
    card.isBlockedPort = false
    kernel.install(card)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test(
    "a pair whose other end is a port here is as alive as the other ports", arguments: ["bridge", "vrf", "openvswitch"])
  func pairIntoBridge(kind: String) throws {
    var kernel = Self.kernel(
      .up(3, "host0", kind: "veth", parent: 5), .up(4, "br0", kind: kind), .up(2, "eth0", master: 4),
      .up(5, "port0", kind: "veth", parent: 3, master: 4))
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied && path.interfaces.first?.name == "host0")
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test func `a pair into a bridge of this namespace that has no other port leads nowhere`() throws {
    var kernel = Self.kernel(
      .up(3, "host0", kind: "veth", parent: 5), .up(4, "br0", kind: "bridge"),
      .up(5, "port0", kind: "veth", parent: 3, master: 4))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
    kernel.install(.up(5, "port0", kind: "veth", parent: 3))
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `two bridges that are each other's only way out lead nowhere`() throws {
    var kernel = Self.kernel(
      .up(3, "br0", kind: "bridge"), .up(4, "br1", kind: "bridge"), .up(5, "a0", kind: "veth", parent: 6, master: 3),
      .up(6, "a1", kind: "veth", parent: 5, master: 4), .up(7, "b0", kind: "veth", parent: 8, master: 3),
      .up(8, "b1", kind: "veth", parent: 7, master: 4))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
    kernel.install(.up(2, "eth0", master: 4))
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `in a container the cable of a bridge is a pair, and a virtual machine is none`() throws {
    var kernel = Self.kernel(
      .up(4, "br0", kind: "bridge"), .up(2, "eth0", kind: "veth", master: 4), .up(5, "tap0", kind: "tun", master: 4))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a bridge is as dead as its only port, before its own message`() throws {
    var kernel = Self.kernel(.up(4, "br0", kind: "bridge"))
    kernel.install(
      LinkFacts(
        index: 2, name: "eth0", flags: [.up], operationalState: .up, hasCarrier: false, kind: "veth", masterIndex: 4))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a bridge of virtual machines alone leads where they do`() throws {
    var kernel = Self.kernel(.up(4, "br0", kind: "bridge"), .up(5, "tap0", kind: "tun", master: 4), .up(2, "eth0"))
    kernel.setCarrier("eth0", false)
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied)
    #expect(!path.usesTunnel)
  }

  @Test func `a route into a routing domain leads where the tables of the domain do`() throws {
    var kernel = Self.kernel(.up(4, "red", kind: "vrf"), .up(2, "eth0", master: 4), .up(3, "eth1"))
    let loop = try kernel.evaluate()
    #expect(loop.path.status == .unsatisfied)
    #expect(loop.families[0].obstacle == ProbeObstacle(.noRoute, at: 4), "it has no route of its own")
    for probe in ProbeAddresses.standard.ipv4 {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match, interfaceIndex: 4)] =
        .route(RouteFacts(table: 10, legs: [RouteLeg(interfaceIndex: 2, gateway: .literal("192.0.2.1"))]))
    }
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied && path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a socket bound to a routing domain leaves by one of its ports`() throws {
    var kernel = Self.kernel(.up(3, "eth1"), .up(4, "red", kind: "vrf"), .up(2, "eth0", master: 4))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    let leg = RouteLeg(interfaceIndex: 2, gateway: .literal("192.0.2.1"))
    let probe = ProbeAddresses.standard.ipv4[0]
    for kind in [RouteQuery.Kind.match, .resolve] {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind, interfaceIndex: 4)] =
        .route(RouteFacts(table: 10, source: .literal("192.0.2.2"), legs: [leg]))
    }
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth1", "red"])
  }

  @Test("a bridge is as dead as its card, though a sink keeps it up", arguments: ["dummy", "ifb"])
  func sinkAsPort(kind: String) throws {
    var kernel = Self.kernel(
      .up(4, "br0", kind: "bridge"), .up(2, "eth0", master: 4), .up(5, "sink0", kind: kind, master: 4))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a bridge whose only port is a sink leads nowhere`() throws {
    var kernel = Self.kernel(.up(4, "br0", kind: "bridge"), .up(5, "dummy0", kind: "dummy", master: 4))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .sinkInterface)
  }

  @Test func `a bridge of Open vSwitch rests on the cards of its datapath`() throws {
    var kernel = Self.kernel(
      .up(6, "br0", kind: "openvswitch"), .up(5, "ovs-system", kind: "openvswitch"), .up(2, "eth0", master: 5),
      .up(7, "vnet0", kind: "tun", master: 5))
    let path = try kernel.evaluate().path
    #expect(path.interfaceType == .wiredEthernet)
    #expect(path.interfaces.first?.underlying == ["eth0"])
    kernel.setDown("ovs-system")
    #expect(try kernel.evaluate().path.status == .satisfied, "the datapath only holds the ports")
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test("a mesh and a device of an unknown kind are as alive as their ports", arguments: ["batadv", "unheard-of"])
  func portsOfAnyKind(kind: String) throws {
    var kernel = Self.kernel(.up(4, "bat0", kind: kind), .up(2, "eth0", master: 4), .up(3, "eth1", master: 4))
    #expect(try kernel.evaluate().path.interfaceType == .wiredEthernet)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test("a mesh and a bridge of Open vSwitch without ports lead nowhere", arguments: ["batadv", "openvswitch"])
  func lackOfPorts(kind: String) throws {
    var kernel = Self.kernel(.up(4, "bat0", kind: kind))
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    let cause = PathDiagnosis(
      evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver
    ).causes.first
    #expect(cause?.code == .bridgeWithoutPorts)
    #expect(cause?.subject == "bat0")
  }

  @Test func `InfiniBand is a cable, and a partition is as alive as its port`() throws {
    var kernel = Self.kernel(
      .up(4, "ib0.8001", kind: "ipoib", hardwareType: HardwareType.infiniband, parent: 2),
      .up(2, "ib0", kind: "ipoib", hardwareType: HardwareType.infiniband))
    #expect(try kernel.evaluate().path.interfaceType == .wiredEthernet)
    kernel.setCarrier("ib0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a PPP connection over a known line is as alive as the line`() throws {
    var kernel = Self.kernel(
      .up(4, "ppp0", kind: "ppp", hardwareType: HardwareType.ppp, parent: 2), .up(2, "eth0"), .up(3, "eth1"))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    let path = try kernel.evaluate().path
    #expect(path.unsatisfiedReason == .noCarrier)
    #expect(!path.usesTunnel)
  }

  // MARK: Pairs

  @Test func `the host's end of a container's pair is no uplink beside a card`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.install(.up(3, "ve-web", kind: "veth"))
    kernel.addAddress("192.168.77.1/28", to: "ve-web")
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a pair is an uplink where a route leads beyond its network, or where there is nothing else`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(3, "eth0", kind: "veth"))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noRoute)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.install(.up(9, "wg0", kind: "wireguard", hardwareType: HardwareType.none))
    kernel.addAddress("10.8.0.2/24", to: "wg0")
    kernel.addRoute(RouteSpec("0.0.0.0/1", .via(nil, "wg0")))
    kernel.addRoute(RouteSpec("128.0.0.0/1", .via(nil, "wg0")))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  // MARK: Access points

  /// A card with a cable, and an access point that does not forward. The card has the default route.
  private static func accessPoint() -> FakeKernel {
    var kernel = kernel(.up(2, "eth0"), .up(3, "wlan0"))
    kernel.devices = [3: DeviceFacts(deviceType: "wlan")]
    kernel.networkFacts.accessPoints = [3]
    kernel.addAddress("10.42.0.1/24", to: "wlan0")
    return kernel
  }

  private static func causes(_ kernel: FakeKernel, _ evaluation: PathEvaluation) -> [Diagnosis] {
    PathDiagnosis(evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver).causes
  }

  @Test func `an access point is never the culprit before the cable, whether it is up, down or without a carrier`()
    throws
  {
    for change in [{ _ in }, { $0.setDown("wlan0") }, { $0.setCarrier("wlan0", false) }] as [(inout FakeKernel) -> Void]
    {
      var kernel = Self.accessPoint()
      change(&kernel)
      #expect(try kernel.evaluate().path.status == .satisfied)
      kernel.deleteRoute(RouteSpec("default", .via(nil, "eth0")))
      kernel.setCarrier("eth0", false)
      let evaluation = try kernel.evaluate()
      #expect(evaluation.path.unsatisfiedReason == .noCarrier)
      #expect(Set(Self.causes(kernel, evaluation).map(\.subject)) == ["eth0"])
    }
  }

  @Test func `no default route over an access point is advised, even if it is the only link`() throws {
    var kernel = Self.accessPoint()
    kernel.deleteLink("eth0")
    let evaluation = try kernel.evaluate()
    let cause = try #require(Self.causes(kernel, evaluation).first)
    #expect(cause.code == .noDefaultRoute)
    #expect(cause.subject == "wlan0")
    #expect(cause.circumstances.contains(.servesOthers))
  }

  @Test func `an access point carries no tunnel, and keeps no bridge alive`() throws {
    var kernel = Self.accessPoint()
    kernel.deleteRoute(RouteSpec("default", .via(nil, "eth0")))
    kernel.install(Self.tunnel)
    kernel.addAddress("10.9.0.2/24", to: "wg0")
    kernel.addRoute(RouteSpec("default", .via(nil, "wg0")))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)

    kernel = Self.kernel(.up(4, "br0", kind: "bridge"), .up(2, "eth0", master: 4), .up(3, "wlan0", master: 4))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied, "the radio may be the way out")
    kernel.networkFacts.accessPoints = [3]
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `an access point with the default route is a path`() throws {
    var kernel = Self.accessPoint()
    kernel.deleteRoute(RouteSpec("default", .via(nil, "eth0")))
    kernel.addRoute(RouteSpec("default", .via("10.42.0.2", "wlan0")))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["wlan0"])
  }

  // MARK: Taps

  @Test func `a tap with the default route is a cable beside the pairs of its own containers`() throws {
    var kernel = Self.kernel(Self.tap)
    kernel.install(.up(6, "veth1", kind: "veth"))
    kernel.addAddress("10.88.0.1/32", to: "veth1")
    #expect(try !kernel.evaluate().path.usesTunnel)
    kernel.setCarrier("veth1", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `a tap in a container is a tunnel over the pair by which a route leads to a router`() throws {
    var kernel = Self.kernel(Self.tap, .up(2, "eth0", kind: "veth"))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    kernel.addRoute(RouteSpec("203.0.113.7/32", .via("192.0.2.1", "eth0")))
    let path = try kernel.evaluate().path
    #expect(path.usesTunnel && path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test func `a tap that is the only link is a cable`() throws {
    var kernel = Self.kernel(Self.tap)
    let path = try kernel.evaluate().path
    #expect(path.interfaceType == .wiredEthernet)
    #expect(!path.usesTunnel)
  }

  @Test func `a tap beside a real link is a tunnel over it`() throws {
    var kernel = Self.kernel(Self.tap, .up(2, "eth0"))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    let path = try kernel.evaluate().path
    #expect(path.usesTunnel)
    #expect(path.interfaces[0].underlying == ["eth0"])
  }

  // MARK: A tunnel that replaced the default route

  @Test func `a tunnel that replaced the default route rests on the links with an address, and costs what they cost`()
    throws
  {
    var kernel = Self.kernel(Self.tunnel, .up(2, "wwan0", hardwareType: HardwareType.none), .up(3, "eth0"))
    kernel.devices = [2: DeviceFacts(deviceType: "wwan")]
    kernel.addAddress("192.0.2.2/24", to: "wwan0")
    let path = try kernel.evaluate().path
    #expect(path.interfaces.map(\.name) == ["wg0"])
    #expect(path.interfaces.first?.underlying == ["wwan0"], "eth0 has no address")
    #expect(path.isExpensive)
  }
}

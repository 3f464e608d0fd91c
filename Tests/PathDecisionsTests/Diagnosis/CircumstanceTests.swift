import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The facts beside a cause: an advice that is right without them is wrong with them.
@Suite("Circumstances of causes")
struct CircumstanceTests {
  private static func first(_ kernel: FakeKernel, _ routing: RoutingFacts = RoutingFacts()) throws -> Diagnosis {
    try #require(try kernel.causes(routing).first)
  }

  /// `eth0` with an address and a default route that is not the preferred one.
  private static var card: FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 100))
    return kernel
  }

  private static func addRoute(_ kernel: inout FakeKernel, over name: String, metric: UInt32 = 0) {
    kernel.addRoute(RouteSpec("default", .via(nil, name), metric: metric))
  }

  // MARK: Addresses

  @Test func `a VLAN without an address is named, and not its trunk`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "fe80::1/64")
    kernel.install(.up(3, "eth0.5", kind: "vlan", parent: 2))
    #expect(try kernel.causes().map(\.sentence) == ["eth0.5 has no address"])
    kernel.install(LinkFacts(index: 3, name: "eth0.5", kind: "vlan", parentIndex: 2))
    #expect(try kernel.causes().map(\.sentence) == ["eth0.5 is switched off"])
  }

  @Test func `a bridge without an address is named, and not its port`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", master: 3), "fe80::1/64")
    kernel.install(.up(3, "br0", kind: "bridge"))
    #expect(try Self.first(kernel).sentence == "br0 has no address")
  }

  @Test func `a port of a routing domain needs an address of its own`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", master: 3))
    kernel.install(.up(3, "red", kind: "vrf"))
    #expect(try Self.first(kernel).sentence == "eth0 has no address")
  }

  @Test func `an address that is still checked is no matter of DHCP`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.update(
      AddressFacts(interfaceIndex: 2, address: .literal("2001:db8::2"), prefixLength: 64, flags: .tentative))
    #expect(try Self.first(kernel).circumstances == [.isTentative])
  }

  @Test func `a pair has no switch`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", kind: "veth"), "169.254.7.8/16")
    #expect(try Self.first(kernel).circumstances == [.isPair])
    kernel.setCarrier("eth0", false)
    #expect(try Self.first(kernel).code == .noCarrier)
    #expect(try Self.first(kernel).circumstances == [.isPair])
  }

  @Test func `an interface that ignores advertisements is told apart from one that gets none`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "fe80::1/64")
    var facts = RoutingFacts()
    #expect(try Self.first(kernel, facts).circumstances.isEmpty)
    facts.ignoringAdvertisements = [2]
    #expect(try Self.first(kernel, facts).circumstances == [.ignoresAdvertisements])
    kernel.addAddress("2001:db8::2/64", to: "eth0")
    #expect(try Self.first(kernel, facts).circumstances == [.ignoresAdvertisements])
    #expect(try Self.first(kernel, facts).code == .noDefaultRoute)
  }

  // MARK: Routes

  @Test func `a router is beyond an address with a prefix of its own`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "203.0.113.5/32")
    #expect(try Self.first(kernel).circumstances == [.routerIsBeyondPrefix])
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    #expect(try Self.first(kernel).circumstances.isEmpty)
  }

  @Test func `a bridge serves others, and a pair beside a card is not even named`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", kind: "veth"), "192.0.2.2/24")
    #expect(try Self.first(kernel).circumstances.isEmpty, "the cable of a container")
    kernel.install(.up(3, "eth1", kind: "veth"))
    #expect(try Self.first(kernel).circumstances.isEmpty, "two cables of a container")
    kernel.install(LinkFacts(index: 4, name: "enp3s0"))
    #expect(try kernel.causes().map(\.subject) == ["enp3s0"])
    var router = FakeKernel()
    router.install(.up(2, "lan1", master: 3))
    router.install(.up(3, "br0", kind: "bridge"), "192.168.1.1/24")
    #expect(try Self.first(router).circumstances == [.servesOthers])
  }

  @Test func `no default route over the LAN of a router is advised while its other line has no address`() throws {
    var kernel = FakeKernel()
    for (index, name) in [(Int32(2), "wan0"), (3, "lan0")] {
      var link = LinkFacts.up(index, name)
      link.forwards = true
      kernel.install(link)
    }
    kernel.addAddress("10.0.0.1/24", to: "lan0")
    let causes = try kernel.causes()
    #expect(causes.map(\.subject) == ["lan0", "wan0"])
    #expect(causes.map(\.code) == [.noDefaultRoute, .noAddress])
    #expect(causes.first?.circumstances == [.servesOthers])
    // The line over which the traffic left before comes first.
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: [2])
    let diagnosis = PathDiagnosis(evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver)
    #expect(diagnosis.causes.first?.code == .noAddress && diagnosis.causes.first?.subject == "wan0")
  }

  @Test func `a default route for the packets of a rule is told apart from none`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    var rule = PolicyRule(family: .ipv4, priority: 1_000, action: .lookup(table: 100))
    rule.source = PolicyRule.Prefix(.literal("192.0.2.9"), length: 32)
    var facts = RoutingFacts()
    facts.rules = [rule, PolicyRule(family: .ipv4, priority: 32_766, action: .lookup(table: 254))]
    #expect(try Self.first(kernel, facts).circumstances.isEmpty)
    facts.defaultsOfRules = [.init(.ipv4, 100)]
    #expect(try Self.first(kernel, facts).circumstances == [.isRouteOfRule])
    #expect(
      try Self.first(kernel, facts).sentence
        == "eth0 has 192.0.2.2/24, but the only default route is in table 100, which rule 1000 (from 192.0.2.9) asks "
        + "for its packets alone")
  }

  @Test func `a preferred route over a link without an address is a mere preference, unless a VPN made it`() throws {
    var kernel = Self.card
    kernel.install(.up(20, "veth1", kind: "veth"), "169.254.7.8/16")
    Self.addRoute(&kernel, over: "veth1")
    let cause = try Self.first(kernel)
    #expect(
      cause.sentence == "the kernel prefers the route over veth1, although eth0 is usable: veth1 has only "
        + "169.254.7.8, which hosts give themselves when no DHCP server answers")
    #expect(cause.circumstances == [.othersAreUsable, .isPair])
    var tunnel = Self.card
    tunnel.install(.up(20, "tun0", kind: "tun", hardwareType: HardwareType.none), "169.254.7.8/16")
    Self.addRoute(&tunnel, over: "tun0")
    #expect(try Self.first(tunnel).circumstances.isEmpty)
  }

  // MARK: Bridges

  @Test func `a bridge on the route is named before a card that is switched off`() throws {
    var kernel = FakeKernel()
    kernel.install(
      LinkFacts(
        index: 2, name: "v0", flags: [.up], operationalState: .down, hasCarrier: false, kind: "veth", masterIndex: 3))
    kernel.install(.up(3, "br0", kind: "bridge"), "192.0.2.2/24")
    Self.addRoute(&kernel, over: "br0")
    kernel.setCarrier("br0", false)
    kernel.install(LinkFacts(index: 4, name: "eth1"))
    #expect(
      try kernel.causes().map(\.sentence) == [
        "br0 has no carrier, as none of its ports has one", "eth1 is switched off",
      ])
  }

  @Test func `a bridge that does not forward yet lacks no cable`() throws {
    var kernel = FakeKernel()
    var card = LinkFacts.up(2, "eth0", master: 3)
    card.isBlockedPort = true
    kernel.install(card)
    kernel.install(.up(3, "br0", kind: "bridge"), "192.0.2.2/24")
    kernel.install(.up(4, "tap0", kind: "tun", master: 3))
    Self.addRoute(&kernel, over: "br0")
    for hasCarrier in [true, false] {
      let state: OperationalState = hasCarrier ? .up : .down
      kernel.install(
        LinkFacts(
          index: 3, name: "br0", flags: .up, operationalState: state, hasCarrier: hasCarrier, kind: "bridge"))
      let causes = try kernel.causes()
      #expect(causes.map(\.code) == [.noCarrier])
      #expect(causes.first?.subject == "br0")
      #expect(causes.first?.circumstances == [.portsDoNotForward])
      #expect(causes.first?.sentence.contains("not forward at its port eth0 yet") == true)
      #expect(causes.first?.sentence.contains("no carrier") == !hasCarrier)
    }
  }

  // MARK: MTU

  @Test func `a small MTU is a doubt about a card, and about a tunnel only if it carries IPv6`() throws {
    func kernel(_ kind: String?, _ address: Prefix, _ route: Prefix) -> FakeKernel {
      var kernel = Self.card
      var link = LinkFacts.up(20, "x0", kind: kind)
      link.mtu = 1_220
      kernel.install(link, address)
      kernel.addRoute(RouteSpec(route, .via(nil, "x0")))
      return kernel
    }
    #expect(try Self.first(kernel(nil, "10.8.0.2/24", "0.0.0.0/0")).code == .smallMTU)
    #expect(try Self.first(kernel("wireguard", "10.8.0.2/24", "0.0.0.0/0")).code == .connected)
    #expect(try kernel("wireguard", "2001:db8:8::2/64", "::/0").causes().contains { $0.code == .smallMTU })
  }
}

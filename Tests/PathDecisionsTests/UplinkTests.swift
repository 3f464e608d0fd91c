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

  @Test func `a rule that gives the type decides`() throws {
    var kernel = Self.kernel(Self.tunnel, .up(2, "eth0"))
    var rule = InterfaceRule(match: InterfaceMatch(), ruling: InterfaceRuling())
    rule.match.types = InterfaceMatch.List([.other])
    rule.ruling.type = InterfaceRuling.Word(.other, origin: "wg0.conf:4")
    kernel.judgements = JudgementMemory(InterfaceRules([rule]))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
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
}

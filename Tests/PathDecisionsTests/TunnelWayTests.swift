import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The way of a tunnel's own packets")
struct TunnelWayTests {
  /// A tunnel of the kind with the default route, beside a card that leads to the Internet and one in a network without
  /// a router.
  private static func kernel(_ kind: String) -> FakeKernel {
    var kernel = FakeKernel.withCards(2)
    kernel.install(.up(9, "vpn0", kind: kind, hardwareType: HardwareType.none), "10.8.0.2/24")
    kernel.addRoute(RouteSpec("default", .via(nil, "vpn0")))
    return kernel
  }

  @Test func `if the router on the way to the server has stopped answering, nobody answers over the tunnel`() throws {
    var kernel = Self.wireGuard("203.0.113.5", "203.0.113.6")
    kernel.addRoute(RouteSpec("203.0.113.0/24", .via("192.0.2.1", "eth0")))
    let router = RoutingFacts.Neighbour(.literal("192.0.2.1"), on: 2)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.neighbours == [router])
    #expect(evaluation.routers.current == [router.address], "the event filter passes its failures")
    kernel.networkFacts.routers.watch([router])
    for state in [RoutingFacts.NeighbourState.reachable, .failed, .failed] {
      _ = kernel.networkFacts.routers.observe(NeighbourFacts(router, state), at: 1)
    }
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied && path.validation.state == .unanswered)
    #expect(path.validation.evidence.map(\.text) == ["the router 192.0.2.1 does not answer any more"])
    // Packets to the other server leave by another router.
    kernel.addRoute(RouteSpec("203.0.113.6/32", .via("192.0.2.7", "eth0")))
    #expect(try kernel.evaluate().path.validation.state == .partial)
  }

  /// A WireGuard tunnel whose servers may be read.
  private static func wireGuard(_ servers: String..., mark: UInt32 = 0) -> FakeKernel {
    var kernel = kernel("wireguard")
    kernel.serverQueries[9] = servers.map {
      RouteQuery(destination: .literal($0), kind: .resolve, user: 0, mark: mark)
    }
    return kernel
  }

  @Test func `a tunnel whose servers are behind itself carries nothing until a message or a reading ends the loop`()
    throws
  {
    var kernel = Self.wireGuard("203.0.113.5")
    let loop = try kernel.evaluate()
    #expect(loop.path.unsatisfiedReason == .noRoute)
    #expect(loop.families[0].obstacle?.interfaceIndex == 9)
    #expect(loop.restsOnReadings, "no message announces a server that moves")
    #expect(loop.routers.servers.contains(.literal("203.0.113.5")), "a route to the server ends the loop")
  }

  @Test func `servers are read for a tunnel that carries the path alone`() throws {
    var kernel = Self.wireGuard("203.0.113.5")
    kernel.deleteRoute(RouteSpec("default", .via(nil, "vpn0")))
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    #expect(try !kernel.evaluate().restsOnReadings)
    #expect(kernel.tunnelsRead.isEmpty)
  }

  @Test func `an explanation names no server that the kernel tells to root alone`() throws {
    var kernel = Self.wireGuard("203.0.113.5", mark: 51_820)
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    let evaluation = try kernel.evaluate()
    let steps = PathExplanation.steps(
      evaluation, path: evaluation.path, causes: [], state: kernel.state, resolver: kernel.resolver, notes: [])
    #expect(!steps.contains { $0.contains("203.0.113.5") })
    #expect(steps.contains { $0.contains("resolve the server of a WireGuard tunnel, mark 51820 as user 0: unicast") })
  }

  @Test func `the tables are read only where no answer tells which link carries a tunnel`() throws {
    var kernel = Self.kernel("tun")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 700))
    #expect(try !kernel.evaluate().restsOnReadings)
    kernel.setCarrier("eth1", false)
    #expect(try !kernel.evaluate().restsOnReadings)
    kernel.deleteRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 700))
    #expect(try kernel.evaluate().restsOnReadings)
  }

  /// A kernel with the links, and a default route over the first.
  private static func kernel(over links: LinkFacts...) -> FakeKernel {
    var kernel = FakeKernel()
    for link in links { kernel.install(link) }
    kernel.addAddress("10.8.0.2/24", to: links[0].name)
    kernel.addRoute(RouteSpec("default", .via(nil, links[0].name)))
    return kernel
  }

  @Test func `a rule that gives the type decides`() throws {
    var kernel = Self.kernel(over: .up(9, "wg0", kind: "wireguard", hardwareType: HardwareType.none), .up(2, "eth0"))
    var rule = InterfaceRule(match: InterfaceMatch(), ruling: InterfaceRuling())
    rule.match.types = InterfaceMatch.List([.other])
    rule.ruling.type = InterfaceRuling.Word(.other, origin: "wg0.conf:4")
    kernel.judgements = JudgementMemory(InterfaceRules([rule]))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied)
  }

  @Test func `a route into a routing domain leads where the tables of the domain do`() throws {
    var kernel = Self.kernel(over: .up(4, "red", kind: "vrf"), .up(2, "eth0", master: 4), .up(3, "eth1"))
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
    var kernel = Self.kernel(over: .up(3, "eth1"), .up(4, "red", kind: "vrf"), .up(2, "eth0", master: 4))
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

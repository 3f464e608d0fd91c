import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The way of a tunnel's own packets")
struct TunnelWayTests {
  private static let server = IPAddress.literal("203.0.113.5")

  /// A tunnel of the kind with the default route, beside a card that leads to the Internet and one in a network without
  /// a router.
  private static func kernel(_ kind: String, server: IPAddress? = nil) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.install(.up(3, "eth1"))
    var tunnel = LinkFacts.up(9, "vpn0", kind: kind, hardwareType: HardwareType.none)
    tunnel.serverAddress = server
    kernel.install(tunnel)
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    kernel.addAddress("198.51.100.2/24", to: "eth1")
    kernel.addAddress("10.8.0.2/24", to: "vpn0")
    kernel.addRoute(RouteSpec("default", .via(nil, "vpn0")))
    return kernel
  }

  private static let kindsWithServers = ["gre", "sit", "ipip", "vxlan", "geneve", "vti"]
  private static let kindsWithoutServers = ["tun", "wireguard", "xfrm", "ovpn"]

  // MARK: The server is known

  @Test("a tunnel to a server beyond a router is as alive as the link to the router", arguments: kindsWithServers)
  func serverBeyondRouter(kind: String) throws {
    var kernel = Self.kernel(kind, server: Self.server)
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied)
    #expect(path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test(
    "a tunnel to a neighbour rests on the link of the neighbour, whatever the others do", arguments: kindsWithServers)
  func serverOnLink(kind: String) throws {
    var kernel = Self.kernel(kind, server: .literal("198.51.100.9"))
    kernel.addRoute(RouteSpec("203.0.113.0/24", .via("192.0.2.1", "eth0")))
    kernel.setCarrier("eth0", false)
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied)
    #expect(path.interfaces.first?.underlying == ["eth1"])
    kernel.setCarrier("eth1", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test("a tunnel whose server no route leads to carries nothing", arguments: kindsWithServers)
  func serverUnreachable(kind: String) throws {
    var kernel = Self.kernel(kind, server: Self.server)
    let loop = try kernel.evaluate()
    #expect(loop.path.unsatisfiedReason == .noRoute, "the default route leads into the tunnel itself")
    #expect(loop.families[0].obstacle?.interfaceIndex == 9)
    kernel.addRoute(RouteSpec(RouteType.unreachable, "203.0.113.0/24"))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noRoute)
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

  @Test func `the cost of a tunnel is that of the link to its server, not that of the default route`() throws {
    var kernel = Self.kernel("gre", server: .literal("198.51.100.9"))
    kernel.install(.up(4, "wwan0", hardwareType: HardwareType.none))
    kernel.devices = [4: DeviceFacts(deviceType: "wwan")]
    kernel.addAddress("100.64.0.2/30", to: "wwan0")
    kernel.addRoute(RouteSpec("default", .via("100.64.0.1", "wwan0"), metric: 700))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.first?.underlying == ["eth1"])
    #expect(!path.isExpensive)
  }

  // MARK: The servers may be read

  /// A WireGuard tunnel whose servers may be read.
  private static func wireGuard(_ servers: String..., mark: UInt32 = 0) -> FakeKernel {
    var kernel = kernel("wireguard")
    kernel.serverQueries[9] = servers.map {
      RouteQuery(destination: .literal($0), kind: .resolve, user: 0, mark: mark)
    }
    return kernel
  }

  @Test func `a tunnel whose servers may be read rests on the link by which its packets leave`() throws {
    var kernel = Self.wireGuard("203.0.113.5")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth0"])
    kernel.deleteRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    let loop = try kernel.evaluate()
    #expect(loop.path.unsatisfiedReason == .noRoute)
    #expect(loop.families[0].obstacle?.interfaceIndex == 9)
    #expect(loop.restsOnReadings, "no message announces a server that moves")
    #expect(loop.routers.servers.contains(Self.server), "a route to the server ends the loop")
    kernel.serverQueries[9] = [RouteQuery(destination: .literal("198.51.100.9"), kind: .resolve, user: 0, mark: 0)]
    let neighbour = try kernel.evaluate().path
    #expect(neighbour.status == .satisfied)
    #expect(neighbour.interfaces.first?.underlying == ["eth1"])
  }

  @Test func `packets with a mark leave by the rule for the mark`() throws {
    var kernel = Self.wireGuard("203.0.113.5", mark: 51_820)
    kernel.deleteRoute(RouteSpec("default", .via(nil, "vpn0")))
    kernel.addRoute(RouteSpec("default", .via(nil, "vpn0"), table: 51_820))
    kernel.addRule(RuleSpec(32_764, .lookup(table: 51_820), mark: 51_820, isInverted: true))
    let loop = try kernel.evaluate()
    #expect(loop.path.unsatisfiedReason == .noRoute)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 700))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.first?.name == "vpn0")
    #expect(path.interfaces.first?.underlying == ["eth0"])
  }

  @Test func `of several servers one with a way is enough, and one on this machine says nothing`() throws {
    var kernel = Self.wireGuard("203.0.113.5", "198.51.100.9")
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth1"])
    kernel = Self.wireGuard("203.0.113.5", "127.0.0.1")
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel = Self.wireGuard("203.0.113.5", "203.0.113.6")
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noRoute)
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

  @Test func `a tunnel within a tunnel has the cost of the link below both`() throws {
    for kind in ["wireguard", "tun"] {
      var kernel = Self.wireGuard("10.7.0.1")
      kernel.install(.up(4, "wwan0", hardwareType: HardwareType.none))
      kernel.devices = [4: DeviceFacts(deviceType: "wwan")]
      kernel.addAddress("100.64.0.2/30", to: "wwan0")
      kernel.addRoute(RouteSpec("203.0.113.7/32", .via("100.64.0.1", "wwan0")))
      kernel.install(.up(10, "vpn1", kind: kind, hardwareType: HardwareType.none))
      kernel.addAddress("10.7.0.2/24", to: "vpn1")
      kernel.setDown("eth0")
      kernel.setDown("eth1")
      let path = try kernel.evaluate().path
      #expect(path.interfaces.first?.underlying == ["vpn1"])
      #expect(path.interfaces.first?.underlyingTypes == [.other, .cellular])
      #expect(path.isExpensive)
    }
  }

  @Test(
    "two tunnels that lead into each other carry nothing, and one in the other is as alive as the link below both",
    arguments: kindsWithServers)
  func loopOfTunnels(kind: String) throws {
    var kernel = Self.kernel(kind, server: Self.server)
    var other = LinkFacts.up(10, "vpn1", kind: kind, hardwareType: HardwareType.none)
    other.serverAddress = .literal("10.77.0.1")
    kernel.install(other)
    kernel.addAddress("10.9.0.2/24", to: "vpn1")
    kernel.addRoute(RouteSpec("203.0.113.0/24", .via(nil, "vpn1")))
    let loop = try kernel.evaluate()
    #expect(loop.path.unsatisfiedReason == .noRoute)
    #expect([9, 10].contains(loop.families[0].obstacle?.interfaceIndex))
    kernel.addRoute(RouteSpec("10.77.0.0/16", .via("192.0.2.1", "eth0")))
    #expect(try kernel.evaluate().path.status == .satisfied)
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  // MARK: The server is not known

  @Test(
    "in a container a bridge over its cable carries a tunnel, if a route leads over it beyond its own network",
    arguments: kindsWithoutServers)
  func bridgeOfContainer(kind: String) throws {
    var kernel = FakeKernel()
    kernel.install(.up(4, "br0", kind: "bridge"))
    kernel.install(.up(2, "eth0", kind: "veth", master: 4))
    kernel.install(.up(9, "vpn0", kind: kind, hardwareType: HardwareType.none))
    kernel.addAddress("192.0.2.2/24", to: "br0")
    kernel.addAddress("10.8.0.2/24", to: "vpn0")
    kernel.addRoute(RouteSpec("default", .via(nil, "vpn0")))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.status == .satisfied, "the bridge may be that of other containers")
    kernel.addRoute(RouteSpec("203.0.113.7/32", .via("192.0.2.1", "br0")))
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
    kernel.setCarrier("eth0", true)
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied && path.interfaces.first?.underlying == ["br0"])
  }

  @Test("of two links, the one with a route to a router carries the tunnel", arguments: kindsWithoutServers)
  func routerElsewhere(kind: String) throws {
    var kernel = Self.kernel(kind)
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    kernel.setCarrier("eth1", false)
    let path = try kernel.evaluate().path
    #expect(path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth1", true)
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.unsatisfiedReason == .noCarrier, "eth1 has no route beyond its own network")
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test("a tunnel stays dead when the routes of the link that carried it are removed", arguments: kindsWithoutServers)
  func formerCarrier(kind: String) throws {
    var kernel = Self.kernel(kind)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 700))
    let before = try kernel.evaluate()
    #expect(before.carriers == [9, 2])
    kernel.setCarrier("eth0", false)
    kernel.removeAddress("192.0.2.2/24", from: "eth0")
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: before.carriers)
    #expect(evaluation.path.unsatisfiedReason == .noCarrier)
    #expect(evaluation.families[0].obstacle?.interfaceIndex == 2)
  }

  @Test("a tunnel stays usable where only neighbours are left, with a doubt", arguments: kindsWithoutServers)
  func neighbourMayBeServer(kind: String) throws {
    var kernel = Self.kernel(kind)
    kernel.removeAddress("192.0.2.2/24", from: "eth0")
    kernel.setCarrier("eth0", false)
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.status == .satisfied, "its server may be a neighbour on eth1")
    let doubt = PathDiagnosis(
      evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver
    ).causes.first
    #expect(doubt?.code == .tunnelWithoutWay)
    #expect(doubt?.sentence.contains("eth1") == true)
  }

  @Test func `a link that was dead all the time has not carried the tunnel`() throws {
    var kernel = Self.kernel("tun")
    kernel.removeAddress("192.0.2.2/24", from: "eth0")
    kernel.setDown("eth0")
    let before = try kernel.evaluate()
    #expect(before.carriers == [9, 3])
    let after = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: before.carriers)
    #expect(after.path.status == .satisfied)
  }

  @Test("a live link without an address carries no tunnel", arguments: kindsWithoutServers)
  func linkWithoutAddress(kind: String) throws {
    var kernel = Self.kernel(kind)
    kernel.removeAddress("198.51.100.2/24", from: "eth1")
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
  }

  @Test("a live link into a network of this machine's own carries no tunnel", arguments: kindsWithoutServers)
  func inwardLinks(kind: String) throws {
    var kernel = Self.kernel(kind)
    kernel.setDown("eth1")
    kernel.removeAddress("198.51.100.2/24", from: "eth1")
    kernel.install(.up(20, "ve-web", kind: "veth"))
    kernel.addAddress("192.168.77.1/28", to: "ve-web")
    var lan = LinkFacts.up(21, "br-lan", kind: "bridge")
    lan.forwards = true
    kernel.install(lan)
    kernel.install(.up(22, "lan1", master: 21))
    kernel.addAddress("192.168.1.1/24", to: "br-lan")
    kernel.addRoute(RouteSpec("203.0.113.5/32", .via("192.0.2.1", "eth0")))
    #expect(try kernel.evaluate().path.interfaces.first?.underlying == ["eth0"])
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noCarrier)
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
}

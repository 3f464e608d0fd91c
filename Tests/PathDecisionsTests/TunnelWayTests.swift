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

  // MARK: The server is known

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

  // MARK: The server is not known

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

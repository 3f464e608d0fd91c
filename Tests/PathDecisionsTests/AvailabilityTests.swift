import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Interfaces for bound sockets")
struct AvailabilityTests {
  /// `eth0` (2) is the path, and `eth1` (3) has a default route of a higher metric.
  private static var kernel: FakeKernel {
    var kernel = FakeKernel.withCards(2)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), metric: 100))
    return kernel
  }

  @Test func `an interface that cannot lead out is neither listed nor looked up`() throws {
    var kernel = Self.kernel
    kernel.setCarrier("eth1", false)
    kernel.install(.up(8, "dummy0", kind: "dummy"), "10.9.0.1/24")
    kernel.addRoute(RouteSpec("default", .via(nil, "dummy0"), metric: 500))
    kernel.install(.up(9, "eth2"), "169.254.1.1/16", "fe80::8/64")
    kernel.addRoute(RouteSpec("default", .via(nil, "eth2"), metric: 600))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
    #expect(kernel.batches.joined().allSatisfy { $0.interfaceIndex == 0 })
    // IPv4 would invent a route to anything for it.
    kernel.install(.up(10, "docker0", kind: "bridge"), "172.17.0.1/16")
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
    #expect(!kernel.batches.joined().contains { $0.kind == .resolve && $0.interfaceIndex == 10 })
  }

  @Test func `an interface with both families is listed once`() throws {
    var kernel = Self.kernel
    kernel.addAddress("2001:db8:2::2/64", to: "eth1")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8:2::1", "eth1"), metric: 50))
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6, to: "2001:7fd::/32"))
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6, to: "2001:dc3::/32"))
    kernel.scriptedAnswers[
      RouteQuery(destination: .literal("2001:7fd::1"), kind: .match, interfaceIndex: 3)] =
      .route(RouteFacts(metric: 50, legs: [RouteLeg(interfaceIndex: 3)]))
    kernel.scriptedAnswers[
      RouteQuery(destination: .literal("2001:7fd::1"), kind: .resolve, interfaceIndex: 3)] =
      .route(RouteFacts(source: .literal("2001:db8:2::2"), legs: [RouteLeg(interfaceIndex: 3)]))
    let evaluation = try kernel.evaluate()
    #expect(evaluation.available.map(\.family) == [.ipv6, .ipv4])
    #expect(evaluation.path.interfaces.map(\.name) == ["eth0", "eth1"])
  }

  @Test(
    arguments: [
      (.match, .refused(errorNumber: 113)), (.match, .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 2)]))),
      (.match, .route(RouteFacts(type: RouteType.unreachable, legs: [RouteLeg(interfaceIndex: 3)]))),
      (.match, .route(RouteFacts(type: RouteType.blackhole))),
      (.match, .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 3, isLinkDown: true)]))),
      (.match, .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 3, isDead: true)]))),
      (.resolve, .refused(errorNumber: RoutingError.prohibited)),
      (.resolve, .route(RouteFacts(source: .literal("169.254.3.4"), legs: [RouteLeg(interfaceIndex: 3)]))),
    ] as [(RouteQuery.Kind, RouteAnswer)])
  func `only a living unicast route over the interface itself, with a source that reaches further, makes it usable`(
    kind: RouteQuery.Kind, answer: RouteAnswer
  ) throws {
    var kernel = Self.kernel
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0", "eth1"])
    kernel.scriptedAnswers[
      RouteQuery(destination: ProbeAddresses.standard.ipv4[0], kind: kind, interfaceIndex: 3)] = answer
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
  }
}

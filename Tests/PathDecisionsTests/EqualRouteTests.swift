import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Routes of equal metric")
struct EqualRouteTests {
  private static let legs = [
    RouteLeg(interfaceIndex: 10, gateway: .literal("192.0.2.1")),
    RouteLeg(interfaceIndex: 11, gateway: .literal("198.51.100.1")),
  ]

  /// `eth0` (10) and `eth1` (11) with default routes of equal metric. The kernel takes the other route with every
  /// lookup while a router is not confirmed to be reachable.
  private static func alternating(first: Int) -> FakeKernel {
    var kernel = FakeKernel.one
    kernel.install(.up(11, "eth1"), "198.51.100.2/24")
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1")))
    for probe in ProbeAddresses.standard.ipv4 {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match)] = .route(RouteFacts(legs: [legs[first]]))
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve)] = .route(
        RouteFacts(source: .literal(first == 0 ? "198.51.100.2" : "192.0.2.2"), legs: [legs[1 - first]]))
    }
    return kernel
  }

  @Test func `both carry traffic while the kernel alternates, whichever it takes at the moment`() throws {
    for first in [0, 1] {
      var kernel = Self.alternating(first: first)
      let evaluation = try kernel.evaluate()
      #expect(evaluation.families[0].primaryLegs.map(\.interfaceIndex) == [10, 11])
      #expect(evaluation.path.gateways.map(\.description) == ["192.0.2.1", "198.51.100.1"])
      #expect(evaluation.path.sourceAddresses.map(\.description) == ["192.0.2.2"])
      #expect(evaluation.families.contains { $0.alternates })
    }
  }

  @Test func `the interface that carried the traffic before stays first while the kernel alternates`() throws {
    var kernel = Self.alternating(first: 0)
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: [11])
    #expect(evaluation.path.interfaces.map(\.name) == ["eth1", "eth0"])
    #expect(evaluation.path.sourceAddresses.map(\.description) == ["198.51.100.2"])
  }

  @Test(arguments: [0, 1])
  func `the summary of a route has a source that belongs to it`(first: Int) throws {
    let probe = ProbeAddresses.standard.ipv4[0]
    var kernel = Self.alternating(first: first)
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: ProbeAddresses([probe]))
    let summary = RouteSummary(to: probe, evaluation, kernel.state, RoutingFacts())
    #expect(summary.interface == ["eth0", "eth1"][first])
    #expect(summary.source?.description == ["192.0.2.2", "198.51.100.2"][first])
  }

  @Test func `probes that show only one of the routes agree with one that shows both`() throws {
    var kernel = Self.alternating(first: 0)
    for (probe, leg) in zip(ProbeAddresses.standard.ipv4, Self.legs) {
      for kind in [RouteQuery.Kind.match, .resolve] {
        kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind)] = .route(
          RouteFacts(source: .literal(leg == Self.legs[0] ? "192.0.2.2" : "198.51.100.2"), legs: [leg]))
      }
    }
    let verdict = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: [11]).families[0]
    #expect(verdict.primaryLegs.map(\.interfaceIndex) == [11, 10])
    #expect(verdict.alternates)
  }

  @Test func `a narrower route over one of the links stays apart while the kernel alternates`() throws {
    var kernel = Self.alternating(first: 0)
    for probe in ProbeAddresses.standard.ipv4.dropFirst() {
      for kind in [RouteQuery.Kind.match, .resolve] {
        kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind)] = .route(
          RouteFacts(prefixLength: 1, source: .literal("198.51.100.2"), legs: [Self.legs[1]]))
      }
    }
    #expect(try kernel.evaluate().families[0].primaryLegs.map(\.interfaceIndex) == [11])
  }

  @Test func `legs of an IPv6 route come in the order of their routers' preference`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(10, "eth0"), "2001:db8:a::2/64")
    kernel.install(.up(11, "eth1"), "2001:db8:b::2/64")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8:a::1", "eth0"), .via("2001:db8:b::1", "eth1")))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0", "eth1"])
    for probe in ProbeAddresses.standard.ipv6 {
      var route = RouteFacts(legs: [RouteLeg(interfaceIndex: 11, gateway: .literal("2001:db8:b::1"))])
      route.preference = .high
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match, interfaceIndex: 11)] = .route(route)
    }
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth1", "eth0"])
  }
}

import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Multipath routes")
struct MultipathTests {
  private static func kernel() -> FakeKernel {
    var kernel = FakeKernel.withCards(2)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), .via("198.51.100.1", "eth1")))
    return kernel
  }

  @Test func `the source of each leg is asked for by a socket bound to it`() throws {
    var kernel = Self.kernel()
    let evaluation = try kernel.evaluate(ProbeAddresses([.literal("193.0.14.129")]))
    #expect(kernel.batches.count == 2)
    #expect(kernel.batches[1].map(\.kind) == [.resolve, .resolve])
    #expect(kernel.batches[1].map(\.interfaceIndex) == [2, 3])
    #expect(evaluation.lookups.map(\.query) == kernel.batches.flatMap(\.self))
  }

  @Test func `the source is that of the first leg, also one that its interface borrows from another leg`() throws {
    var kernel = Self.kernel()
    #expect(try kernel.evaluate().path.sourceAddresses.map(\.description) == ["192.0.2.2"])
    for probe in ProbeAddresses.standard.ipv4 {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve, interfaceIndex: 2)] =
        .route(RouteFacts(source: .literal("198.51.100.2"), legs: [RouteLeg(interfaceIndex: 2)]))
    }
    #expect(try kernel.evaluate().path.sourceAddresses.map(\.description) == ["198.51.100.2"])
  }

  @Test func `a leg whose source does not get beyond the link is left out`() throws {
    var kernel = Self.kernel()
    for probe in ProbeAddresses.standard.ipv4 {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve, interfaceIndex: 2)] =
        .route(RouteFacts(source: .literal("169.254.3.4"), legs: [RouteLeg(interfaceIndex: 2)]))
    }
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth1"])
    for probe in ProbeAddresses.standard.ipv4 {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve, interfaceIndex: 3)] =
        .refused(errorNumber: RoutingError.prohibited)
    }
    let path = try kernel.evaluate().path
    #expect(path.status == .unsatisfied)
    #expect(path.unsatisfiedReason == .noAddress, "that of the first leg")
  }

  /// IPv6 begins with the leg that a hash of the destination chose, and the hash differs from boot to boot.
  @Test(arguments: 0..<8)
  func `the order of the legs in the message does not matter`(turned: Int) throws {
    func path(turned: Int) throws -> NetworkPath {
      var kernel = FakeKernel()
      kernel.install(.up(2, "eth0"), "2001:db8:1::2/64")
      kernel.install(.up(3, "eth1"), "2001:db8:2::2/64")
      kernel.addRoute(RouteSpec("::/0", .via("2001:db8:1::1", "eth0"), .via("2001:db8:2::1", "eth1")))
      let legs = [(2, "2001:db8:1::1"), (3, "2001:db8:2::1")].map {
        RouteLeg(interfaceIndex: $0.0, gateway: .literal($0.1))
      }
      for (number, probe) in ProbeAddresses.standard.ipv6.enumerated() {
        kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match)] =
          .route(RouteFacts(legs: turned >> number & 1 == 1 ? legs.reversed() : legs))
      }
      return try kernel.evaluate().path
    }
    let (one, other) = (try path(turned: 0), try path(turned: turned))
    #expect(one == other, "\(other.fieldsChanged(since: one)): \(other.interfaces.map(\.name))")
  }
}

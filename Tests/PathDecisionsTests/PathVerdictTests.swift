import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The verdict on a lookup's answer: on an error, on a route's type, on the source address that the kernel chose.
@Suite("Path verdicts")
struct PathVerdictTests {
  private static let probe = IPAddress.literal("193.0.14.129")

  /// A machine that is online over `eth0` (index 2), with other answers for the one probe.
  private static func path(match: RouteAnswer?, resolve: RouteAnswer? = nil) throws -> NetworkPath {
    var kernel = FakeKernel.withCards(1)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match)] = match
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve)] = resolve
    // These tests are not about the choice of interfaces for bound sockets.
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match, interfaceIndex: 2)] =
      .refused(errorNumber: RoutingError.unreachable)
    return try kernel.evaluate(ProbeAddresses([probe])).path
  }

  @Test(
    arguments: [
      (13, .prohibited), (22, .prohibited), (113, .prohibited), (101, .noRoute), (97, .noRoute), (95, .noRoute),
      (19, .noRoute),
    ] as [(Int32, UnsatisfiedReason)])
  func `an error of the lookup is a verdict`(errorNumber: Int32, reason: UnsatisfiedReason) throws {
    let path = try Self.path(
      match: .refused(errorNumber: errorNumber), resolve: .refused(errorNumber: errorNumber))
    #expect(path.status == .unsatisfied)
    #expect(path.unsatisfiedReason == reason)
    // The match may be answered and the resolution not.
    #expect(try Self.path(match: nil, resolve: .refused(errorNumber: errorNumber)).unsatisfiedReason == reason)
  }

  @Test(
    arguments: [
      (RouteType.blackhole, .prohibited), (RouteType.unreachable, .prohibited), (RouteType.prohibit, .prohibited),
      (RouteType.throw, .noRoute), (RouteType.local, .noRoute), (3, .noRoute), (200, .noRoute),
    ] as [(UInt8, UnsatisfiedReason)])
  func `only a unicast route carries traffic`(type: UInt8, reason: UnsatisfiedReason) throws {
    let facts = RouteFacts(type: type, legs: [RouteLeg(interfaceIndex: 2)])
    #expect(try Self.path(match: .route(facts)).unsatisfiedReason == reason)
  }

  @Test(
    arguments: [
      (RouteLeg(interfaceIndex: 2, isLinkDown: true), .noCarrier),
      (RouteLeg(interfaceIndex: 2, isDead: true), .noCarrier), (RouteLeg(interfaceIndex: 1), .sinkInterface),
      (nil, .noRoute),
    ] as [(RouteLeg?, UnsatisfiedReason)])
  func `a route without a next hop, or with one that is dead, without carrier or loopback, carries nothing`(
    leg: RouteLeg?, reason: UnsatisfiedReason
  ) throws {
    #expect(try Self.path(match: .route(RouteFacts(legs: [leg].compactMap(\.self)))).unsatisfiedReason == reason)
  }

  @Test func `a next hop over an interface that is gone, and a probe that is an address of this machine, are no path`()
    throws
  {
    let path = try Self.path(match: .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 99)])))
    #expect(path.status == .unsatisfied && path.interfaces.isEmpty)
    var kernel = FakeKernel.one
    #expect(try kernel.evaluate(ProbeAddresses([.literal("192.0.2.2")])).path.unsatisfiedReason == .noRoute)
  }

  @Test func `a kernel too old for matching entries answers with clones, which are enough`() throws {
    let clone = RouteFacts(prefixLength: 32, legs: [RouteLeg(interfaceIndex: 2)], isCloned: true)
    #expect(try Self.path(match: .route(clone)).status == .satisfied)
  }

  @Test(arguments: [
    ("192.0.2.2", true), ("10.0.0.2", true), ("fd00::2", true), ("2001:db8::2", true), (nil, false),
    ("169.254.3.4", false), ("127.0.0.1", false), ("0.0.0.0", false), ("fe80::2", false), ("::1", false), ("::", false),
  ])
  func `the source address that the kernel chose has to reach beyond the link`(source: String?, isUsable: Bool) throws {
    let facts = RouteFacts(source: source.map(IPAddress.literal), legs: [RouteLeg(interfaceIndex: 2)])
    let path = try Self.path(match: nil, resolve: .route(facts))
    #expect(path.status == (isUsable ? .satisfied : .unsatisfied))
    #expect(path.unsatisfiedReason == (isUsable ? nil : .noAddress))
  }

  @Test func `an unsatisfied path has no type, families, tunnel, DNS or cost`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "wg0", kind: "wireguard"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via(nil, "wg0")))
    #expect(try kernel.evaluate().path.usesTunnel)
    kernel.addRule(RuleSpec(100, .prohibit))
    let path = try kernel.evaluate().path
    #expect(path.status == .unsatisfied && path.knowledge == .known)
    #expect(path.interfaceType == nil && !path.usesTunnel && path.cost == nil)
    #expect(!path.supportsIPv4 && !path.supportsIPv6 && !path.supportsDNS)
  }
}

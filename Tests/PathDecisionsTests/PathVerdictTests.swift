import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The verdict on a lookup's answer: on an error, on a route's type, on the source address that the kernel chose.
@Suite("Path verdicts")
struct PathVerdictTests {
  private static let probe = IPAddress.literal("193.0.14.129")
  private static let probes = ProbeAddresses([probe])

  /// A machine that is online over `eth0` (index 2), with other answers for the one probe.
  private static func path(match: RouteAnswer?, resolve: RouteAnswer? = nil) throws -> NetworkPath {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match)] = match
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve)] = resolve
    // These tests are not about the choice of interfaces for bound sockets.
    kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .match, interfaceIndex: 2)] =
      .refused(errorNumber: RoutingError.unreachable)
    return try kernel.evaluate(probes).path
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

  @Test func `a probe that is an address of this machine is no path`() throws {
    var kernel = FakeKernel.one
    let path = try kernel.evaluate(ProbeAddresses([.literal("192.0.2.2")])).path
    #expect(path.status == .unsatisfied)
    #expect(path.unsatisfiedReason == .noRoute)
  }

  @Test(
    arguments: [
      (RouteLeg(interfaceIndex: 2, isLinkDown: true), .noCarrier),
      (RouteLeg(interfaceIndex: 2, isDead: true), .noCarrier),
      (RouteLeg(interfaceIndex: 1), .sinkInterface),
    ] as [(RouteLeg, UnsatisfiedReason)])
  func `a next hop that is dead, without carrier or the loopback device carries nothing`(
    leg: RouteLeg, reason: UnsatisfiedReason
  ) throws {
    #expect(try Self.path(match: .route(RouteFacts(legs: [leg]))).unsatisfiedReason == reason)
  }

  @Test func `a next hop over an interface that is gone is no path`() throws {
    let path = try Self.path(match: .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 99)])))
    #expect(path.status == .unsatisfied)
    #expect(path.interfaces.isEmpty)
  }

  @Test func `a route without a next hop is no path`() throws {
    #expect(try Self.path(match: .route(RouteFacts())).unsatisfiedReason == .noRoute)
  }

  @Test func `a kernel too old for matching entries answers with clones, which are enough`() throws {
    let clone = RouteFacts(prefixLength: 32, legs: [RouteLeg(interfaceIndex: 2)], isCloned: true)
    #expect(try Self.path(match: .route(clone)).status == .satisfied)
  }

  // MARK: Source addresses

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

  /// The addresses of `eth0`, beside fe80::2, and whether they make the default route usable.
  @Test(
    arguments: [
      (nil, [], false), ("2001:db8::2", [], true), ("fd00::2", [], true), ("2001:db8::2", [.deprecated], true),
      ("2001:db8::2", [.tentative], false), ("2001:db8::2", [.tentative, .duplicate], false),
      ("2001:db8::2", [.tentative, .optimistic], true),
    ] as [(String?, AddressFlags, Bool)])
  func `only duplicate address detection is waited for`(
    address: String?, flags: AddressFlags, isUsable: Bool
  ) throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "fe80::2/64")
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "eth0")))
    if let address {
      kernel.update(
        AddressFacts(interfaceIndex: 2, address: .literal(address), prefixLength: 64, flags: flags))
    }
    let path = try kernel.evaluate().path
    #expect(path.supportsIPv6 == isUsable)
    #expect(path.unsatisfiedReason == (isUsable ? nil : .noAddress))
  }
}

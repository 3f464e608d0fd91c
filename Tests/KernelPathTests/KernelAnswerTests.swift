import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("The kernel's answers", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelAnswerTests {
  private static let probe = IPAddress.literal("193.0.14.129")
  private static let (host, network) = (IPAddress.literal("203.0.113.1"), "203.0.113.0/24")
  private static let leg = RouteLeg(interfaceIndex: 10, gateway: .literal("192.0.2.1"))

  /// Runs the body with a kernel in a namespace with a cable `eth0` and a default route.
  private static func run(_ body: @escaping @Sendable (Kernel, TestNamespace) throws -> Void) async throws {
    try await TestNamespace.run { namespace in
      try namespace.ip("link add eth0 index 10 type veth peer name eth0 netns \(namespace.far)")
      // Duplicate detection of a link-local address would send a message seconds later.
      try namespace.ip("link set eth0 addrgenmode none")
      try namespace.ip("link set eth0 up")
      try namespace.ipFar("link set eth0 up")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      try namespace.ip("route add default via 192.0.2.1 metric 100")
      let kernel = try Kernel(probes: .standard)
      #expect(try kernel.difference(fromFreshWithin: .seconds(20)) == nil)
      try body(kernel, namespace)
    }
  }

  @Test func `many questions are answered in their order, each by itself, and none is not sent`() async throws {
    try await Self.run { kernel, namespace in
      try namespace.ip("route add blackhole \(Self.network)")
      let queries = (0..<100).map {
        RouteQuery(destination: $0 % 3 == 0 ? Self.host : Self.probe, kind: $0 % 2 == 0 ? .match : .resolve)
      }
      let expected = queries.map { query -> RouteAnswer in
        if query.destination == Self.host { return .refused(errorNumber: 22) }
        return .route(
          query.kind == .match
            ? RouteFacts(metric: 100, legs: [Self.leg])
            : RouteFacts(prefixLength: 32, source: .literal("192.0.2.2"), legs: [Self.leg], isCloned: true))
      }
      #expect(try kernel.answers(to: queries) == expected)
      #expect(try kernel.answers(to: []).isEmpty)
    }
  }

  @Test func `a question bound to an interface is answered for it only, one as another user by that user's rules`()
    async throws
  {
    try await Self.run { kernel, namespace in
      try namespace.ip("link add eth1 index 20 type veth peer name eth1p")
      try namespace.ip("rule add pref 100 uidrange 12345-12345 prohibit")
      _ = try kernel.drain()
      let answers = try kernel.answers(to: [
        RouteQuery(destination: Self.probe, kind: .match, interfaceIndex: 10),
        RouteQuery(destination: Self.probe, kind: .match, interfaceIndex: 20),
        RouteQuery(destination: Self.probe, kind: .match, user: 12_345),
      ])
      let refusals = answers.map { if case .refused(let errorNumber) = $0 { errorNumber } else { Int32(0) } }
      #expect(refusals[0] == 0 && refusals[1] != 0 && refusals[2] == 13)
    }
  }

  @Test func `each kind of refusal has the errno that connect would give`() async throws {
    try await Self.run { kernel, namespace in
      try namespace.ip("route delete default")
      for (kind, errorNumber) in [("blackhole", 22), ("unreachable", 113), ("prohibit", 13), ("throw", 101)] {
        try namespace.ip("route replace \(kind) 193.0.14.0/24")
        _ = try kernel.drain()
        let answer = try kernel.answers(to: [RouteQuery(destination: Self.probe, kind: .match)])
        #expect(answer == [.refused(errorNumber: Int32(errorNumber))], "\(kind)")
      }
    }
  }

  @Test func `each answer is that of the moment, also where no message announces its change`() async throws {
    try await Self.run { kernel, namespace in
      let query = RouteQuery(destination: Self.host, kind: .match)
      let before = try kernel.answers(to: [query])
      #expect(before == [.route(RouteFacts(metric: 100, legs: [Self.leg]))])
      // The last messages about the link come up to a second after it is up.
      while isReadable(kernel.eventDescriptor, within: .milliseconds(1_100)) { _ = try kernel.drain() }
      try namespace.ip("route add unreachable \(Self.network)")
      #expect(try kernel.drain().messages == 0)
      #expect(try kernel.answers(to: [query]) == [.refused(errorNumber: 113)])
    }
  }

  // MARK: Tables for explanations

  // Any user may ask for explanations, and a table can be as long as that of the Internet.
  @Test func `no more than the beginning of a table is read, where its default route is`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0")
      let count = 20_000
      try namespace.batch((0..<count).map { "route add unreachable 10.\($0 / 250).\($0 % 250).0/24" })
      try namespace.ip("route add unreachable default metric 4000")
      let routes = try Self.refusingRoutes()
      #expect(routes.contains { $0.destination.length == 0 && $0.type == RouteType.unreachable })
      #expect((1_000..<count / 2).contains(routes.count))
    }
  }

  @Test func `a route by a next-hop object that discards is one that refuses`() async throws {
    try await TestNamespace.run { namespace in
      try namespace.ip("link set lo up")
      try namespace.ip("nexthop add id 7 blackhole")
      try namespace.ip("route add default nhid 7")
      #expect(try Self.refusingRoutes().map(\.type) == [RouteType.blackhole])
    }
  }

  @Test func `an address is unrouted while its network has no route, not even one that somebody else has made`()
    async throws
  {
    try await TestNamespace.run { namespace in
      try namespace.addCable("eth0")
      try namespace.ip("address add 192.0.2.2/24 dev eth0 noprefixroute")
      #expect(try Self.routingFacts().unroutedAddresses == [.literal("192.0.2.2")])
      try namespace.ip("route add 192.0.2.0/24 dev eth0")
      #expect(try Self.routingFacts().unroutedAddresses.isEmpty)
    }
  }

  private static func routingFacts() throws -> RoutingFacts {
    var kernel = try Kernel(probes: .standard)
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard)
    return kernel.routingFacts(for: evaluation, user: nil)
  }

  private static func refusingRoutes() throws -> [RoutingFacts.TableRoute] { try routingFacts().refusingRoutes }
}

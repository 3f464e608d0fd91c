import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// Any user may ask for explanations, and a table can be as long as that of the Internet.
@Suite("Readings of tables for explanations", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct TableReadingTests {
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

  private static func refusingRoutes() throws -> [RoutingFacts.TableRoute] {
    var kernel = try Kernel(probes: .standard)
    let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard)
    return kernel.routingFacts(for: evaluation, user: nil).refusingRoutes
  }
}

import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The facts that Fuchsia's tests of reachability hold, as rows (`src/connectivity/network/reachability/core/src`).
@Suite("The tables of Fuchsia")
struct FuchsiaTables {
  private static let second = 1_000_000
  private static let router = RoutingFacts.Neighbour(.literal("192.0.2.1"), on: 2)

  // MARK: lib.rs

  /// The state of the neighbour entry of the router.
  enum Router: Sendable {
    case unknown, answers, neverAnswered
  }

  /// A row: the network, the word of the validator in place of pings to the Internet, Fuchsia's state, and ours.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isUp = true
    var route: String? = "default"
    var router = Router.unknown
    let report: PathValidation.State?
    /// Fuchsia's `Internet` is `validated`, `Gateway` is `unanswered`.
    let state: PathValidation.State
    var status = NetworkPath.Status.satisfied
    /// Where our rule differs: the reason.
    var difference: String?

    init(
      _ name: String, isUp: Bool = true, route: String? = "default", _ router: Router = .unknown,
      hosts report: PathValidation.State? = nil, is state: PathValidation.State = .unknown,
      status: NetworkPath.Status = .satisfied, because difference: String? = nil
    ) {
      testDescription = name + (difference.map { " (other here: \($0))" } ?? "")
      (self.isUp, self.route, self.router, self.report) = (isUp, route, router, report)
      (self.state, self.status, self.difference) = (state, status, difference)
    }
  }

  private static let local = "`Local` is no state here: if no host answers, the path is unanswered wherever it ends"
  static let rows = [
    Row("All is good. Can reach internet", hosts: .validated, is: .validated),
    Row("Can reach internet, gateway responding via ARP/ND", .answers, hosts: .validated, is: .validated),
    Row(
      "Gateway not responding via ping or ARP/ND. Can reach internet", .neverAnswered, hosts: .validated,
      is: .validated),
    Row(
      "No default route, but healthy gateway with internet/gateway response", route: "0.0.0.0/1", .answers,
      hosts: .validated, status: .unsatisfied, because: "a path needs a route to most of the sample addresses"),
    Row("Can reach gateway via ping", hosts: .unanswered, is: .unanswered),
    Row("Can reach gateway via ARP/ND", .answers, hosts: .unanswered, is: .unanswered),
    Row("Local only, Cannot reach gateway", hosts: .unanswered, is: .unanswered, because: local),
    Row("No default route", route: nil, status: .unsatisfied),
    Row("No default route, with only gateway response", route: nil, .answers, status: .unsatisfied),
    Row("Local only, neighbors responsive with no default route", route: nil, status: .unsatisfied),
    Row("Local only, neighbors responsive with a default route", hosts: .unanswered, is: .unanswered, because: local),
    Row("Local only, neighbors responsive with no routes", route: nil, status: .unsatisfied),
    Row(
      "Local only, gateway unhealthy with healthy neighbor", .neverAnswered,
      because: "a router that was never seen to answer is no evidence, and nobody is asked"),
    Row("No routes and unhealthy gateway", route: nil, .neverAnswered, status: .unsatisfied),
    Row("No routes", route: nil, status: .unsatisfied),
    Row("want Down state", isUp: false, status: .unsatisfied),
    Row("want Gateway state", .answers, hosts: .unanswered, is: .unanswered),
    Row("want Internet state", .answers, hosts: .validated, is: .validated),
  ]

  @Test("Fuchsia: lib.rs", arguments: Self.rows)
  func reachability(_ row: Row) throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", operationalState: row.isUp ? .up : .down), "192.0.2.2/24")
    if let route = row.route, row.isUp {
      kernel.addRoute(RouteSpec(Prefix(stringLiteral: route), .via("192.0.2.1", "eth0")))
    }
    kernel.networkFacts.routers.watch([Self.router])
    let states: [RoutingFacts.NeighbourState] =
      switch row.router {
      case .unknown: []
      case .answers: [.reachable]
      case .neverAnswered: [.failed, .incomplete, .failed]
      }
    for state in states { _ = kernel.networkFacts.routers.observe(NeighbourFacts(Self.router, state), at: Self.second) }
    kernel.networkFacts.report = row.report.map {
      ValidationReport(
        interfaceIndex: 2, wireless: nil, gateways: [Self.router.address], PathValidation(state: $0))
    }
    let path = try kernel.evaluate().path
    #expect(path.status == row.status)
    #expect(path.validation.state == row.state)
  }

  // MARK: watchdog.rs

  /// The records after these entries, each with the time in seconds.
  private static func records(_ entries: (RoutingFacts.NeighbourState, at: Int)...) -> RouterRecords {
    var records = RouterRecords()
    records.watch([router])
    for (state, seconds) in entries {
      _ = records.observe(NeighbourFacts(router, state), at: seconds * second)
    }
    return records
  }

  @Test func `watchdog.rs, gateway_health: a healthy router is healthy, also an hour later`() {
    #expect(Self.records((.reachable, at: 0)).failed.isEmpty)
  }

  @Test func `watchdog.rs, gateway_health: one that was never healthy is not unhealthy`() {
    #expect(Self.records((.failed, at: 0), (.failed, at: 60)).failed.isEmpty)
    #expect(Self.records((.stale, at: 0), (.failed, at: 120), (.failed, at: 180)).failed.isEmpty)
  }

  @Test("watchdog.rs, gateway_health: one that has failed is not unhealthy at once", arguments: [3, 59, 60, 3_600])
  func unhealthy(seconds: Int) {
    #expect(Self.records((.reachable, at: 0), (.failed, at: 0)).failed.isEmpty)
    // Other here: it waits for a minute there, because the interface may be examined then. Here it takes two failures
    // in a row, however far apart: the kernel has asked six times, the last three while it could send nothing.
    #expect(Self.records((.reachable, at: 0), (.failed, at: 0), (.failed, at: seconds)).failed == [Self.router])
  }

  @Test func `watchdog.rs, gateway_health: other here, a router that is stale for two minutes has had no traffic`() {
    #expect(Self.records((.reachable, at: 0), (.stale, at: 30), (.stale, at: 150)).failed.isEmpty)
  }

  /// The validation with routers of two families, of which some have failed.
  private static func validation(failed: [String]) throws -> PathValidation.State {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24", "2001:db8::2/64")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8::1", "eth0")))
    for address in failed {
      let neighbour = RoutingFacts.Neighbour(.literal(address), on: 2)
      kernel.networkFacts.routers.watch([neighbour])
      for state in [RoutingFacts.NeighbourState.reachable, .failed, .failed] {
        _ = kernel.networkFacts.routers.observe(NeighbourFacts(neighbour, state), at: Self.second)
      }
    }
    return try kernel.evaluate().path.validation.state
  }

  @Test func `watchdog.rs: neighbours that are no routers, and none at all, are no evidence`() throws {
    #expect(try Self.validation(failed: []) == .unknown, "no_action_if_no_neighbors")
    #expect(
      try Self.validation(failed: ["192.0.2.77"]) == .unknown, "no_action_if_unreachable_neighbor_isnt_gateway")
  }

  @Test func `watchdog.rs, no_action_if_one_gateway_is_healthy: here a part answers`() throws {
    #expect(try Self.validation(failed: ["192.0.2.1"]) == .partial)
    #expect(try Self.validation(failed: ["192.0.2.1", "2001:db8::1"]) == .unanswered)
  }
}

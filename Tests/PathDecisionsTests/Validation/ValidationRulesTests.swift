import PathModel
import PathTestSupport
import Testing

@testable import PathDecisions

/// Whether the Internet answers, by what is known without a packet.
@Suite("The validation of a path")
struct ValidationRulesTests {
  private static let second = 1_000_000
  private static let routers = ["192.0.2.1", "fe80::1"]

  /// A network with a router for each family.
  private static func kernel() throws -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24", "2001:db8::2/64")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "eth0")))
    return kernel
  }

  /// Lets neighbours answer, and those at the addresses fail after that.
  private static func fail(_ failed: [String], in kernel: inout FakeKernel) {
    for address in Set(routers + failed) {
      let neighbour = RoutingFacts.Neighbour(.literal(address), on: 2)
      kernel.networkFacts.routers.watch([neighbour])
      _ = kernel.networkFacts.routers.observe(NeighbourFacts(neighbour, .reachable), at: 10 * second)
      for second in failed.contains(address) ? [47, 50] : [] {
        _ = kernel.networkFacts.routers.observe(NeighbourFacts(neighbour, .failed), at: second * Self.second)
      }
    }
  }

  /// The validation after the routers that had answered have failed, with NetworkManager's verdicts on `eth0`.
  private static func validation(
    failed: [String] = [], _ ipv4: ConnectivityState = .unknown, _ ipv6: ConnectivityState = .unknown,
    portal: String? = nil, leaseOf address: String = "192.0.2.2"
  ) throws -> PathValidation {
    var kernel = try kernel()
    fail(failed, in: &kernel)
    _ = kernel.networkFacts.update(
      connectivity: ["eth0": DeviceConnectivity(ipv4: ipv4, ipv6: ipv6)], at: 40 * second)
    if let portal {
      kernel.networkFacts.leasesByName["eth0"] = [
        LeaseFacts(address: .literal(address), isMetered: false, portal: portal)
      ]
      kernel.networkFacts.leasesChanged = 30 * second
    }
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied, "no observation makes a path unsatisfied")
    return path.validation
  }

  /// The validation with a report on the network of the router.
  private static func validation(
    reported state: PathValidation.State, ofHost verdict: PathValidation.State? = nil,
    gateways: [String] = routers, on index: Int32 = 2, failed: [String] = []
  ) throws -> PathValidation {
    var kernel = try kernel()
    fail(failed, in: &kernel)
    let reported = PathValidation(
      state: state, since: 55 * second, portal: "http://a.example/",
      evidence: [.init(source: .host, verdict: verdict ?? state, family: .ipv4, when: 60 * second, text: "a host")])
    kernel.networkFacts.report = ValidationReport(
      interfaceIndex: index, wireless: nil, gateways: Set(gateways.map { .literal($0) }), reported)
    return try kernel.evaluate().path.validation
  }

  @Test func `a report on the network of the path decides, with its page, its evidence and its time`() throws {
    let validation = try Self.validation(reported: .portal)
    #expect(validation.state == .portal && validation.portal == "http://a.example/")
    #expect(validation.since == 55 * Self.second && validation.announced == nil)
    #expect(validation.evidence.map(\.text) == ["a host"])
  }

  @Test(
    arguments: [
      // A report on another interface or other routers says nothing.
      (.portal, nil, ["192.0.2.9", "fe80::1"], 2, [], .unknown), (.portal, nil, [], 2, [], .unknown),
      (.portal, nil, routers, 3, [], .unknown),
      // A host that is silent takes nothing from it.
      (.validated, .unanswered, routers, 2, [], .validated), (.unanswered, .portal, routers, 2, [], .unanswered),
      // Silent routers outweigh it, and one without a verdict leaves the word to them.
      (.validated, nil, routers, 2, ["192.0.2.1"], .partial), (.validated, nil, routers, 2, routers, .unanswered),
      (.unknown, nil, routers, 2, ["192.0.2.1"], .partial),
    ] as [(PathValidation.State, PathValidation.State?, [String], Int32, [String], PathValidation.State)])
  func `a report is one on the network of the path, and routers that stop answering outweigh it`(
    reported: PathValidation.State, host: PathValidation.State?, gateways: [String], index: Int32, failed: [String],
    state: PathValidation.State
  ) throws {
    let validation = try Self.validation(
      reported: reported, ofHost: host, gateways: gateways, on: index, failed: failed)
    #expect(validation.state == state)
  }

  @Test func `a report without a verdict says why, and decides nothing`() throws {
    let validation = try Self.validation(reported: .unknown, ofHost: .portal)
    #expect(validation.state == .unknown && validation.portal == nil && validation.since == nil)
    #expect(validation.evidence.map(\.text) == ["a host"])
  }

  @Test func `with nothing observed the state is unknown, and nothing is listed`() throws {
    let validation = try Self.validation()
    #expect(validation == .unknown)
    #expect(validation.evidence.isEmpty && validation.since == nil && validation.portal == nil)
    #expect(try Self.validation(failed: ["192.0.2.77"]) == .unknown, "a neighbour that is no router says nothing")
  }

  @Test func `if all routers have stopped answering, nobody answers, whatever was found out before`() throws {
    let validation = try Self.validation(failed: Self.routers, .full, .full)
    #expect(validation.state == .unanswered)
    #expect(validation.since == 50 * Self.second)
    #expect(validation.evidence.map(validation.isDeciding) == [true, true, false, false])
    #expect(
      validation.evidence.map(\.text) == [
        "the router 192.0.2.1 does not answer any more", "the router fe80::1%eth0 does not answer any more",
        "NetworkManager's host answers over eth0 by IPv4", "NetworkManager's host answers over eth0 by IPv6",
      ])
    #expect(validation.evidence.map(\.family) == [.ipv4, .ipv6, .ipv4, .ipv6])
  }

  @Test func `if the router of one family has stopped answering, a part answers`() throws {
    let validation = try Self.validation(failed: ["fe80::1"])
    #expect(validation.state == .partial)
    #expect(validation.evidence.map(\.source) == [.router])
    #expect(validation.evidence.allSatisfy(validation.isDeciding))
  }

  @Test(arguments: [
    (ConnectivityState.full, ConnectivityState.full, PathValidation.State.validated), (.full, .unknown, .validated),
    (.unknown, .full, .validated), (.full, .none, .validated), (.portal, .unknown, .portal), (.portal, .full, .partial),
    (.portal, .limited, .portal), (.full, .limited, .validated), (.limited, .full, .validated),
    (.limited, .limited, .unknown), (.limited, .unknown, .unknown), (.none, .none, .unknown),
    (.unknown, .unknown, .unknown),
  ])
  func `NetworkManager's word counts by family, its silent host decides nothing, and a right answer is no portal`(
    ipv4: ConnectivityState, ipv6: ConnectivityState, state: PathValidation.State
  ) throws {
    let validation = try Self.validation(ipv4, ipv6)
    #expect(validation.state == state)
    #expect(validation.since == (state == .unknown ? nil : 40 * Self.second))
    #expect(validation.evidence.count == [ipv4, ipv6].filter { $0 != .unknown && $0 != .none }.count)
  }

  @Test func `a portal in place of one family counts although the router of the other has stopped answering`() throws {
    #expect(try Self.validation(failed: ["fe80::1"], .portal).state == .portal)
    #expect(try Self.validation(failed: ["fe80::1"], .full).state == .partial)
  }

  @Test func `an announced address is evidence and decides nothing`() throws {
    let validation = try Self.validation(portal: "https://portal.example/api")
    #expect(validation.state == .unknown)
    #expect(validation.portal == "https://portal.example/api")
    #expect(validation.evidence.map(\.source) == [.lease])
    #expect(validation.evidence.map(\.when) == [30 * Self.second])
    let seen = try Self.validation(.portal, portal: "https://portal.example/api")
    #expect(seen.state == .portal && seen.portal == "https://portal.example/api")
    #expect(seen.evidence.map(seen.isDeciding) == [true, false])
  }

  @Test func `a lease of another address is none of this network`() throws {
    let validation = try Self.validation(portal: "https://portal.example/api", leaseOf: "192.168.1.7")
    #expect(validation == .unknown)
  }

  @Test func `a verdict is dropped when the path is another one, or none`() throws {
    var kernel = try Self.kernel()
    kernel.networkFacts.connectivityByName["eth0"] = DeviceConnectivity(ipv4: .portal)
    #expect(try kernel.evaluate().path.validation.state == .portal)
    kernel.install(.up(3, "wlan0"), "198.51.100.2/24")
    kernel.deleteRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "wlan0")))
    #expect(try kernel.evaluate().path.validation.state == .unknown)
    kernel = try Self.kernel()
    kernel.networkFacts.report = ValidationReport(
      interfaceIndex: 2, wireless: nil, gateways: [.literal("192.0.2.1"), .literal("fe80::1")],
      PathValidation(state: .validated))
    #expect(try kernel.evaluate().path.validation.state == .validated)
    kernel.addRule(RuleSpec(100, .prohibit))
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6))
    #expect(try kernel.evaluate().path.validation.state == .unknown, "a path that is not satisfied has none")
  }

  @Test func `a verdict keeps its time while it stays the same`() {
    var facts = NetworkFactsTable()
    let full = ["eth0".exact: DeviceConnectivity(ipv4: .full)]
    let isFirstNews = facts.update(connectivity: full, at: 1)
    let isSecondNews = facts.update(connectivity: full, at: 2)
    #expect(isFirstNews && !isSecondNews)
    #expect(facts.connectivityByName["eth0"]?.when == 1)
    let isThirdNews = facts.update(connectivity: ["eth0": DeviceConnectivity(ipv4: .portal)], at: 3)
    #expect(isThirdNews)
    #expect(facts.connectivityByName["eth0"]?.when == 3)
  }

  @Test func `explain says how to make the client ask, unless it has asked, asks by itself, or no one needs it`() throws
  {
    let link = LinkFacts.up(2, "eth0")
    let lease = LeaseFacts(address: .literal("192.0.2.2"), isMetered: false)
    var facts = NetworkFactsTable()
    #expect(facts.portalAdvice(for: link) == nil, "there is no lease")
    facts.leasesByName["eth0"] = [lease]
    let advice = try #require(facts.portalAdvice(for: link))
    #expect(advice.contains("'option captive_portal_uri' in dhcpcd.conf(5)"))
    #expect(advice.contains("'also request default-url;' in dhclient.conf(5)"))
    facts.leasesByName["eth0"] = [LeaseFacts(address: lease.address, isMetered: false, portal: "http://a")]
    #expect(facts.portalAdvice(for: link) == nil)
    (facts.leasesByName, facts.leasesByIndex) = ([:], [2: [lease]])
    #expect(facts.portalAdvice(for: link) == nil)

    var kernel = try Self.kernel()
    let evaluation = try kernel.evaluate()
    var routing = RoutingFacts()
    routing.portalAdvice = [advice]
    let steps = ValidationExplanation.steps(.unknown, evaluation, kernel.state, routing)
    #expect(steps == ["validation of the path: unknown", "    \(advice)"])
    let validated = PathValidation(state: .validated)
    #expect(ValidationExplanation.steps(validated, evaluation, kernel.state, routing) == [])
  }

  @Test func `explain shows each observation, and marks those that decided`() throws {
    let validation = try Self.validation(failed: Self.routers, .full)
    var kernel = try Self.kernel()
    var routing = RoutingFacts()
    routing.boottimeMicroseconds = 62 * Self.second
    let evaluation = try kernel.evaluate()
    #expect(
      ValidationExplanation.steps(validation, evaluation, kernel.state, routing) == [
        "validation of the path: unanswered",
        "  * unanswered  router          the router 192.0.2.1 does not answer any more, 12 s ago",
        "  * unanswered  router          the router fe80::1%eth0 does not answer any more, 12 s ago",
        "    validated   networkManager  NetworkManager's host answers over eth0 by IPv4, 22 s ago",
      ])
    routing.routers.watch(evaluation.neighbours)
    _ = routing.routers.observe(NeighbourFacts(evaluation.neighbours[0], .reachable), at: 60 * Self.second)
    #expect(
      ValidationExplanation.steps(.unknown, evaluation, kernel.state, routing) == [
        "validation of the path: unknown", "    unknown  router  the router 192.0.2.1 has answered, 2 s ago",
        "    unknown  router  the router fe80::1%eth0 has not been seen to answer, which is no evidence",
      ])
  }
}

import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The causes that no network of `Tests/DiagnosisCaseTests/diagnosis-cases.txt` has.
@Suite("Causes of a path's state")
struct PathDiagnosisTests {
  private static func first(_ kernel: FakeKernel, _ routing: RoutingFacts = RoutingFacts()) throws -> Diagnosis {
    try #require(try kernel.causes(routing).first)
  }

  @Test func `a default route in the table of a VRF alone serves programs that are bound to it`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(3, "red", kind: "vrf"))
    kernel.install(.up(2, "eth0", master: 3), "192.0.2.2/24")
    // Only bound sockets find the route.
    for probe in ProbeAddresses.standard.ipv4 {
      for index in Int32(2)...3 {
        for kind in [RouteQuery.Kind.match, .resolve] {
          kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind, interfaceIndex: index)] = .route(
            RouteFacts(
              prefixLength: 0, table: 10, source: .literal("192.0.2.2"),
              legs: [RouteLeg(interfaceIndex: 2, gateway: .literal("192.0.2.1"))]))
        }
      }
    }
    let cause = Diagnosis(
      code: .routeInVRF, subject: "red",
      sentence: "the only default route is that of the VRF red, which serves programs that are bound to it")
    #expect(try kernel.causes() == [cause])
    kernel.install(.up(4, "eth1"), "198.51.100.2/24")
    #expect(try kernel.causes() == [cause])
  }

  @Test func `a refusal whose rules could not be read is still a refusal`() throws {
    var kernel = FakeKernel.one
    kernel.addRule(RuleSpec(900, .prohibit))
    let cause = try Self.first(kernel)
    #expect(cause.code == .refusedByRoute)
    #expect(cause.subject == nil)
    #expect(cause.sentence == UnsatisfiedReason.prohibited.words)
  }

  @Test func `a missing rule for table main is the cause only if that table has a default route`() throws {
    var kernel = FakeKernel.one
    kernel.deleteRule(RuleSpec(32_766, .lookup(table: 254)))
    var facts = RoutingFacts()
    facts.rules = [PolicyRule(family: .ipv4, priority: 0, action: .lookup(table: 255))]
    #expect(try Self.first(kernel, facts).code == .noDefaultRoute)
    facts.defaultsOfMain = [.ipv4]
    #expect(try Self.first(kernel, facts).code == .noRuleForMainTable)
    var suppressing = PolicyRule(family: .ipv4, priority: 100, action: .lookup(table: 254))
    suppressing.suppressedPrefixLength = 0
    facts.rules?.append(suppressing)
    #expect(try Self.first(kernel, facts).code == .noRuleForMainTable, "that rule takes no default route")
  }

  @Test(
    arguments: [(nil, [.overridden]), ("eth0", [.overridden]), ("eth7", [.connected])]
      as [(String?, [Diagnosis.Code])])
  func `an override is the cause if it is of the path or of an interface in use`(
    interface: String?, codes: [Diagnosis.Code]
  ) throws {
    var overrides = OverrideTable()
    try overrides.set(
      PathOverride(
        field: .status, value: "unsatisfied", interface: interface, expires: 601_000_000, user: 1_000, setAt: 0))
    var facts = RoutingFacts()
    facts.boottimeMicroseconds = 1_000_000
    let causes = try FakeKernel.one.causes(facts, overrides: overrides)
    #expect(causes.map(\.code) == codes)
    if codes == [.overridden] {
      #expect(causes[0].subject == interface && causes[0].sentence.hasSuffix(", set by user 1000, for another 10 min"))
    }
  }

  @Test func `a rule that leaves the interface out is named with its file and line`() throws {
    var kernel = FakeKernel.one
    var match = InterfaceMatch()
    match.names = .init([try Glob("eth0")])
    var ruling = InterfaceRuling()
    ruling.isIgnored = .init(true, origin: "/etc/pathmonitor/x.conf:4")
    kernel.judgements = JudgementMemory(InterfaceRules([InterfaceRule(match: match, ruling: ruling)]))
    let causes = try kernel.causes()
    #expect(causes.map(\.code) == [.ignored])
    #expect(causes.map(\.subject) == ["/etc/pathmonitor/x.conf:4"])
  }

  @Test(arguments: [
    (
      ResolverFacts.none("/etc/resolv.conf, which does not exist"), Optional("/etc/resolv.conf"),
      "/etc/resolv.conf does not exist"
    ),
    (.localResolver(upstream: []), "systemd-resolved", "systemd-resolved knows no server to ask"),
    (.servers(["router.lan"]), "router.lan", "the configured name server 'router.lan' is no address"),
  ])
  func `a lack of name servers is a doubt`(resolver: ResolverFacts, subject: String?, words: String) throws {
    var kernel = FakeKernel.one
    kernel.resolver = resolver
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .noNameServer, subject: subject,
          sentence: "connected over eth0, but names cannot be looked up: \(words)"))
    #expect(try kernel.causes(to: "192.0.2.9").map(\.code) == [.connected], "an address needs no name server")
  }

  @Test(arguments: [
    (
      ["2001:db8::53", "198.51.100.53"], Optional("2001:db8::53"),
      "no route leads to 2001:db8::53; a route or rule refuses what is sent to 198.51.100.53"
    ),
    (["203.0.113.53"], "203.0.113.53", "the way to 203.0.113.53 leads over eth9, which has no carrier"),
    // One that answers is enough, and of some the lookup does not tell.
    (["2001:db8::53", "192.0.2.53"], nil, ""),
    (["2001:db8::53", "127.0.0.53"], nil, ""),
    (["2001:db8::53", "fe80::53%eth0"], nil, ""),
    (["2001:db8::53", "fe80::53%10"], nil, ""),
    (["fe80::53"], "fe80::53", "fe80::53 is a link-local address without its interface, as in fe80::53%eth0"),
    (["192.0.2.53", "fe80::53%eth7"], nil, ""),
    (["fe80::53%eth7"], "fe80::53%eth7", "fe80::53%eth7 names an interface that does not exist"),
    (
      ["fe80::53%eth9", "2001:db8::53"], "fe80::53%eth9",
      "the way to fe80::53%eth9 leads over eth9, which has no carrier; no route leads to 2001:db8::53"
    ),
    (["2001:db8::53", "192.0.2.2"], nil, ""),
  ])
  func `name servers that cannot be reached are a doubt if they are all`(
    servers: [String], subject: String?, words: String
  ) throws {
    var kernel = FakeKernel.one
    kernel.install(.up(19, "eth9"))
    kernel.setCarrier("eth9", false)
    kernel.addRoute(RouteSpec("203.0.113.53/32", .via("192.0.2.1", "eth9")))
    kernel.addRoute(RouteSpec(RouteType.unreachable, "198.51.100.53/32"))
    kernel.resolver = .servers(servers)
    let first = try Self.first(kernel)
    #expect(first.code == (subject == nil ? .connected : .nameServerUnreachable))
    guard let subject else { return }
    #expect(first.subject == subject)
    #expect(first.sentence == "connected over eth0, but names cannot be looked up: \(words)")
    // An explanation that has examined them knows better.
    var facts = RoutingFacts()
    facts.nameServerFaults = []
    #expect(try Self.first(kernel, facts).code == .connected)
  }

  @Test func `an unknown path has no diagnosis`() throws {
    var kernel = FakeKernel.one
    let evaluation = try kernel.evaluate()
    #expect(
      PathDiagnosis(evaluation, path: .unknown, state: kernel.state, resolver: kernel.resolver).causes.isEmpty)
  }

  @Test(arguments: ScenarioTable.all)
  func `every situation has a cause, in one line, and a path that is satisfied is connected`(_ scenario: PathCase)
    throws
  {
    var kernel = try scenario.network().kernel
    let path = try kernel.evaluate().path
    let causes = try kernel.causes()
    let first = try #require(causes.first)
    #expect((path.status == .satisfied) == first.sentence.hasPrefix("connected"))
    for cause in causes {
      #expect(!cause.sentence.isEmpty && !cause.sentence.hasSuffix(".") && !cause.sentence.contains("\n"))
      for word in ["sysctl", "pathctl", "--", "ip link", "ip route"] { #expect(!cause.sentence.contains(word)) }
    }
    #expect(Set(causes.map(\.sentence)).count == causes.count)
  }

  @Test func `a name cannot forge a line`() throws {
    var kernel = FakeKernel()
    kernel.install(LinkFacts(index: 2, name: "eth\u{1b}[2J\n0"))
    let sentence = try Self.first(kernel).sentence
    #expect(!sentence.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }
}

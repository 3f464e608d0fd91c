import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// One test for each cause, and for the order of several: values in, values out.
@Suite("Causes of a path's state")
struct PathDiagnosisTests {
  /// The causes in a kernel in memory.
  private static func causes(
    _ kernel: FakeKernel, _ routing: RoutingFacts = RoutingFacts(), overrides: OverrideTable = OverrideTable(),
    to host: String? = nil, probes: [String]? = nil
  ) throws -> [Diagnosis] {
    try kernel.causes(routing, overrides: overrides, to: host, probes: probes)
  }

  private static func first(_ kernel: FakeKernel, _ routing: RoutingFacts = RoutingFacts()) throws -> Diagnosis {
    try #require(try causes(kernel, routing).first)
  }

  /// `eth0` with an address and a default route.
  private static var one: FakeKernel { FakeKernel(after: ScenarioTable.one) }

  /// A tunnel without a server, with the two halves of IPv4.
  private static func addDeadTunnel(to kernel: inout FakeKernel) {
    kernel.install(
      .up(20, "tun0", kind: "tun", hardwareType: HardwareType.none, operationalState: .unknown), "10.8.0.2/24")
    kernel.addRoute(RouteSpec("0.0.0.0/1", .via(nil, "tun0")))
    kernel.addRoute(RouteSpec("128.0.0.0/1", .via(nil, "tun0")))
    kernel.setCarrier("tun0", false)
  }

  // MARK: Links

  @Test func `a machine without interfaces has a cause of its own`() throws {
    #expect(
      try Self.first(FakeKernel())
        == Diagnosis(code: .noInterface, sentence: "there is no network interface besides loopback"))
  }

  @Test func `a link that is switched off is named, and called the only one if it is`() throws {
    var kernel = FakeKernel()
    kernel.install(LinkFacts(index: 2, name: "eth0"))
    #expect(
      try Self.first(kernel)
        == Diagnosis(code: .switchedOff, subject: "eth0", sentence: "eth0, the only interface, is switched off"))
    kernel.install(LinkFacts(index: 3, name: "eth1"))
    #expect(try Self.first(kernel).sentence == "eth0 and eth1 are switched off")
    for index in Int32(4)...7 { kernel.install(LinkFacts(index: index, name: "eth\(index)")) }
    #expect(try Self.first(kernel).sentence == "eth0, eth1, eth4 and 3 others are switched off")
  }

  @Test func `a link without a carrier has a cause by its type`() throws {
    var kernel = Self.one
    kernel.setCarrier("eth0", false)
    #expect(
      try Self.first(kernel).sentence
        == "eth0, the only interface, has no carrier: a cable is out, or the port at the other end is off")
    var wireless = FakeKernel()
    wireless.devices[2] = DeviceFacts(deviceType: "wlan", isWireless: true)
    wireless.install(LinkFacts(index: 2, name: "wlp3s0", flags: [.up], operationalState: .down, hasCarrier: false))
    #expect(
      try Self.first(wireless)
        == Diagnosis(
          code: .notAssociated, subject: "wlp3s0", sentence: "wlp3s0 is not associated with an access point"))
    var modem = FakeKernel()
    modem.install(
      LinkFacts(index: 2, name: "wwan0", flags: [.up], operationalState: .down, hasCarrier: false, kind: "wwan"))
    #expect(try Self.first(modem).sentence == "wwan0 has no connection to the mobile network")
  }

  @Test func `a link that waits for authentication is nearer to a path than one without a carrier`() throws {
    var kernel = FakeKernel()
    kernel.install(LinkFacts(index: 2, name: "eth0", flags: [.up], operationalState: .down, hasCarrier: false))
    kernel.install(.up(3, "eth1", operationalState: .dormant))
    #expect(try Self.causes(kernel).map(\.code) == [.waitsForAuthentication, .noCarrier])
    #expect(try Self.first(kernel).sentence == "eth1 waits for authentication")
  }

  @Test func `the link below a bridge is the culprit`() throws {
    var kernel = FakeKernel()
    kernel.install(
      LinkFacts(index: 3, name: "br0", flags: [.up], operationalState: .down, hasCarrier: false, kind: "bridge"))
    kernel.install(
      LinkFacts(index: 2, name: "eth0", flags: [.up], operationalState: .down, hasCarrier: false, masterIndex: 3))
    let cause = try Self.first(kernel)
    #expect(cause.subject == "eth0")
    #expect(cause.sentence == "eth0 below br0 has no carrier: a cable is out, or the port at the other end is off")
  }

  // MARK: Addresses

  @Test func `an address of 169·254 means that DHCP does not answer`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "169.254.7.8/16")
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .selfAssignedAddress, subject: "eth0",
          sentence: "eth0 has only 169.254.7.8, which hosts give themselves when no DHCP server answers"))
  }

  @Test func `a link without an address, or with one for its link, is named`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    #expect(try Self.first(kernel).sentence == "eth0 has no address")
    kernel.addAddress("fe80::1/64", to: "eth0")
    #expect(try Self.first(kernel).sentence == "eth0 has only fe80::1, an address for its own link")
  }

  @Test func `a duplicate address is named`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.update(
      AddressFacts(
        interfaceIndex: 2, address: .literal("2001:db8::2"), prefixLength: 64, flags: [.tentative, .duplicate]))
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .duplicateAddress, subject: "eth0",
          sentence: "eth0 may not use 2001:db8::2: another host on the link has this address"))
  }

  // MARK: Rules and routes

  /// The usual rules of IPv4, and further rules.
  private static func rules(_ others: PolicyRule...) -> RoutingFacts {
    var facts = RoutingFacts()
    facts.rules =
      [PolicyRule(family: .ipv4, priority: 0, action: .lookup(table: 255))] + others + [
        PolicyRule(family: .ipv4, priority: 32_766, action: .lookup(table: 254)),
        PolicyRule(family: .ipv4, priority: 32_767, action: .lookup(table: 253)),
      ]
    return facts
  }

  @Test func `a table that refuses is named with the rule that leads to it`() throws {
    var kernel = Self.one
    kernel.addRoute(RouteSpec(RouteType.unreachable, "default", table: 100))
    kernel.addRule(RuleSpec(1_000, .lookup(table: 100), from: "192.0.2.2"))
    var rule = PolicyRule(family: .ipv4, priority: 1_000, action: .lookup(table: 100))
    rule.source = PolicyRule.Prefix(.literal("192.0.2.2"), length: 32)
    var facts = Self.rules(rule)
    facts.refusingRoutes = [
      .init(type: RouteType.unreachable, table: 100, destination: .init(.literal("0.0.0.0"), length: 0))
    ]
    facts.tableNames.add("100 office # for the VPN")
    #expect(
      try Self.first(kernel, facts)
        == Diagnosis(
          code: .refusedByRoute, subject: "table office",
          sentence: "the kernel answers EHOSTUNREACH by the route 'unreachable default' in table office, "
            + "which rule 1000 (from 192.0.2.2) asks before table main"))
  }

  @Test(arguments: [
    (RuleSpec.Action.prohibit, PolicyRule.Action.prohibit, "EACCES", "prohibit"),
    (.blackhole, .blackhole, "EINVAL", "blackhole"), (.unreachable, .unreachable, "ENETUNREACH", "unreachable"),
  ])
  func `a rule that refuses is named`(
    action: RuleSpec.Action, read: PolicyRule.Action, error: String, word: String
  ) throws {
    var kernel = Self.one
    kernel.addRule(RuleSpec(900, action))
    #expect(
      try Self.first(kernel, Self.rules(PolicyRule(family: .ipv4, priority: 900, action: read)))
        == Diagnosis(
          code: .refusedByRule, subject: "rule 900",
          sentence: "the kernel answers \(error) by policy rule 900 (from all \(word)) before table main"))
  }

  @Test func `a refusal whose rules could not be read is still a refusal`() throws {
    var kernel = Self.one
    kernel.addRule(RuleSpec(900, .prohibit))
    let cause = try Self.first(kernel)
    #expect(cause.code == .refusedByRoute)
    #expect(cause.subject == nil)
    #expect(cause.sentence == UnsatisfiedReason.prohibited.words)
  }

  @Test func `a missing rule for table main is the cause only if that table has a default route`() throws {
    var kernel = Self.one
    kernel.deleteRule(RuleSpec(32_766, .lookup(table: 254)))
    var facts = RoutingFacts()
    facts.rules = [PolicyRule(family: .ipv4, priority: 0, action: .lookup(table: 255))]
    #expect(try Self.first(kernel, facts).code == .noDefaultRoute)
    facts.defaultsOfMain = [.ipv4]
    #expect(
      try Self.first(kernel, facts)
        == Diagnosis(
          code: .noRuleForMainTable, subject: "table main",
          sentence: "no policy rule leads to table main, which has a default route"))
    var suppressing = PolicyRule(family: .ipv4, priority: 100, action: .lookup(table: 254))
    suppressing.suppressedPrefixLength = 0
    facts.rules?.append(suppressing)
    #expect(try Self.first(kernel, facts).code == .noRuleForMainTable, "that rule takes no default route")
  }

  @Test func `a missing default route is named with the address that needs it`() throws {
    var kernel = Self.one
    kernel.deleteRoute(RouteSpec("default"))
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .noDefaultRoute, subject: "eth0", sentence: "eth0 has 192.0.2.2/24, but there is no default route"))
  }

  @Test func `the address in the question is named`() throws {
    var kernel = Self.one
    kernel.deleteRoute(RouteSpec("default"))
    let expected = Diagnosis(
      code: .noRouteToAddress, subject: "203.0.113.9", sentence: "no route leads to 203.0.113.9")
    #expect(try Self.causes(kernel, to: "203.0.113.9") == [expected])
    #expect(try Self.causes(kernel, probes: ["203.0.113.9"]) == [expected])
  }

  @Test func `a tunnel without a server is no missing carrier, whatever else is usable`() throws {
    var kernel = FakeKernel(after: ScenarioTable.two)
    Self.addDeadTunnel(to: &kernel)
    #expect(
      try Self.causes(kernel) == [
        Diagnosis(
          code: .deadTunnel, subject: "tun0",
          sentence: "all traffic is routed into the tunnel tun0, whose other end nobody serves")
      ])
    #expect(
      try Self.causes(kernel, to: "203.0.113.9").first?.sentence
        == "the traffic is routed into the tunnel tun0, whose other end nobody serves")
  }

  @Test func `a bridge over a tunnel is a tunnel`() throws {
    var kernel = FakeKernel(after: ScenarioTable.two)
    kernel.deleteRoute(RouteSpec("default", metric: 100))
    kernel.install(
      LinkFacts(index: 30, name: "br0", flags: [.up], operationalState: .down, hasCarrier: false, kind: "bridge"))
    kernel.install(
      LinkFacts(
        index: 31, name: "tap0", flags: [.up], operationalState: .down, hasCarrier: false, kind: "tun", masterIndex: 30)
    )
    kernel.addAddress("10.8.0.2/24", to: "br0")
    kernel.addRoute(RouteSpec("default", .via(nil, "br0"), metric: 50))
    #expect(try Self.first(kernel).code == .deadTunnel)
  }

  @Test func `a preferred link that is down is named beside the one that is usable`() throws {
    var kernel = FakeKernel(after: ScenarioTable.two)
    kernel.setCarrier("eth0", false)
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .linkDownRoute, subject: "eth0",
          sentence: "the kernel prefers the route over eth0, which has no carrier, although eth1 is usable"))
  }

  @Test func `a point-to-point link that is down may be a VPN`() throws {
    var kernel = FakeKernel(after: ScenarioTable.two)
    var link = LinkFacts.up(20, "ppp0", kind: "ppp", hardwareType: HardwareType.ppp, operationalState: .unknown)
    link.flags.insert(.pointToPoint)
    kernel.install(link, "10.64.0.2/32")
    kernel.addRoute(RouteSpec("default", .via(nil, "ppp0"), metric: 50))
    kernel.setCarrier("ppp0", false)
    #expect(try Self.first(kernel).code == .pointToPointDownRoute)
  }

  @Test func `a device that discards packets is named`() throws {
    var kernel = Self.one
    kernel.install(.up(20, "kill0", kind: "dummy", operationalState: .unknown), "10.64.0.2/32")
    kernel.addRoute(RouteSpec("0.0.0.0/1", .via(nil, "kill0")))
    kernel.addRoute(RouteSpec("128.0.0.0/1", .via(nil, "kill0")))
    #expect(try Self.causes(kernel).map(\.subject) == ["kill0"])
    #expect(try Self.first(kernel).code == .sinkInterface)
  }

  // MARK: The administrator

  private static func override(_ interface: String? = nil, expires: Int? = nil, why: String? = nil) throws
    -> OverrideTable
  {
    var table = OverrideTable()
    try table.set(
      PathOverride(
        field: .status, value: "unsatisfied", interface: interface, expires: expires, user: 1_000, why: why, setAt: 0))
    return table
  }

  @Test func `an override has its author, its reason and its end`() throws {
    var facts = RoutingFacts()
    facts.boottimeMicroseconds = 1_000_000
    let overrides = try Self.override(expires: 601_000_000, why: "maintenance")
    #expect(
      try Self.causes(Self.one, facts, overrides: overrides) == [
        Diagnosis(
          code: .overridden,
          sentence: "an override says that there is no path, set by user 1000 (\"maintenance\"), for another 10 min")
      ])
    #expect(
      try Self.causes(Self.one, overrides: try Self.override("eth0")).first
        == Diagnosis(
          code: .overridden, subject: "eth0",
          sentence: "an override takes eth0 out of use, set by user 1000, until it is cleared or the machine reboots"))
    #expect(try Self.causes(Self.one, overrides: try Self.override("eth7")).map(\.code) == [.connected])
  }

  @Test func `a rule that leaves the interface out is named with its file and line`() throws {
    var kernel = Self.one
    var match = InterfaceMatch()
    match.names = .init([try Glob("eth0")])
    var ruling = InterfaceRuling()
    ruling.isIgnored = .init(true, origin: "/etc/pathmonitor/x.conf:4")
    kernel.judgements = JudgementMemory(InterfaceRules([InterfaceRule(match: match, ruling: ruling)]))
    #expect(
      try Self.causes(kernel) == [
        Diagnosis(
          code: .ignored, subject: "/etc/pathmonitor/x.conf:4",
          sentence: "eth0 carries the traffic, but a rule in /etc/pathmonitor/x.conf:4 leaves it out")
      ])
  }

  // MARK: Doubts

  @Test func `a path without doubts is described`() throws {
    #expect(
      try Self.causes(Self.one) == [
        Diagnosis(
          code: .connected, subject: "eth0", sentence: "connected over eth0 (wired Ethernet) via 192.0.2.1")
      ])
    #expect(try Self.causes(Self.one, to: "127.0.0.1").first?.sentence == "connected over lo (loopback)")
  }

  @Test(arguments: [
    (RoutingFacts.NeighbourState.failed, "does not answer (neighbour entry FAILED)"),
    (.incomplete, "has not answered yet (neighbour entry INCOMPLETE)"),
  ])
  func `a router that does not answer is a doubt`(state: RoutingFacts.NeighbourState, words: String) throws {
    var facts = RoutingFacts()
    facts.neighbours = [.init(.init(.literal("192.0.2.1"), on: 10), state)]
    #expect(
      try Self.first(Self.one, facts)
        == Diagnosis(
          code: .routerSilent, subject: "192.0.2.1", sentence: "connected over eth0, but the router 192.0.2.1 \(words)")
    )
  }

  @Test(arguments: [
    (ResolverFacts.none("/etc/resolv.conf"), Optional("/etc/resolv.conf"), "/etc/resolv.conf names no server"),
    (.none("/etc/resolv.conf, which does not exist"), "/etc/resolv.conf", "/etc/resolv.conf does not exist"),
    (.localResolver(upstream: []), "systemd-resolved", "systemd-resolved knows no server to ask"),
    (.servers(["router.lan"]), "router.lan", "the configured name server 'router.lan' is no address"),
  ])
  func `a lack of name servers is a doubt`(resolver: ResolverFacts, subject: String?, words: String) throws {
    var kernel = Self.one
    kernel.resolver = resolver
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .noNameServer, subject: subject,
          sentence: "connected over eth0, but names cannot be looked up: \(words)"))
    #expect(try Self.causes(kernel, to: "192.0.2.9").map(\.code) == [.connected], "an address needs no name server")
  }

  @Test(arguments: [
    (["2001:db8::53"], Optional("2001:db8::53"), "no route leads to 2001:db8::53"),
    (
      ["2001:db8::53", "198.51.100.53"], "2001:db8::53",
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
    var kernel = Self.one
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

  @Test func `a family with an address and no way out is a doubt, unless the address is local`() throws {
    var kernel = Self.one
    kernel.addAddress("fd00::2/64", to: "eth0")
    #expect(try Self.causes(kernel).map(\.code) == [.connected])
    kernel.addAddress("2001:db8::2/64", to: "eth0")
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: .familyWithoutRoute, subject: "eth0",
          sentence: "connected over eth0, but IPv6 does not work: eth0 has 2001:db8::2, but there is no default route: "
            + "are router advertisements missing?"))
  }

  @Test func `a family without a carrier names its interface before the question about the cable`() throws {
    var kernel = Self.one
    kernel.addAddress("2001:db8:1::2/64", to: "eth0")
    kernel.install(.up(3, "wwan9"), "2001:db8::2/64")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8::1", "wwan9")))
    kernel.setCarrier("wwan9", false)
    #expect(try Self.first(kernel).sentence.hasPrefix("connected over eth0, but IPv6 does not work: wwan9: "))
  }

  @Test(
    arguments: [
      (nil, .connected, .linkDownLeg), ("tun", .outsideTunnel, .deadTunnelLeg),
    ] as [(String?, Diagnosis.Code, Diagnosis.Code)])
  func `a leg without a carrier takes part of the connections away`(
    kind: String?, before: Diagnosis.Code, code: Diagnosis.Code
  ) throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "x0", kind: kind, operationalState: .unknown), "192.0.2.2/24")
    kernel.install(.up(3, "eth1"), "198.51.100.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "x0"), .via("198.51.100.1", "eth1")))
    #expect(try Self.causes(kernel).map(\.code) == [before])
    kernel.setCarrier("x0", false)
    #expect(
      try Self.first(kernel)
        == Diagnosis(
          code: code, subject: "x0",
          sentence: "connected over eth1, but part of the connections leaves over x0, which has no carrier"))
  }

  @Test func `a family that is closed names the route that closes it`() throws {
    var kernel = Self.one
    kernel.addAddress("2001:db8::2/64", to: "eth0")
    kernel.addRoute(RouteSpec(RouteType.prohibit, "::/0"))
    var facts = RoutingFacts()
    facts.rules = [PolicyRule(family: .ipv6, priority: 32_766, action: .lookup(table: 254))]
    facts.refusingRoutes = [
      .init(type: RouteType.prohibit, table: 254, destination: .init(.literal("::"), length: 0))
    ]
    #expect(
      try Self.first(kernel, facts).sentence
        == "connected over eth0, but IPv6 does not work: the kernel answers EACCES by the route 'prohibit default' in "
        + "table main")
  }

  @Test func `a small MTU and a bridge without ports are doubts`() throws {
    var kernel = FakeKernel()
    var link = LinkFacts.up(2, "br0", kind: "bridge")
    link.mtu = 1_279
    kernel.install(link, "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "br0")))
    #expect(
      try Self.causes(kernel).map(\.sentence) == [
        "connected over br0, but br0 is a bridge without ports, so packets end there",
        "the MTU of br0 is 1279 bytes, below the 1280 that IPv6 requires",
      ])
  }

  // MARK: Several faults

  @Test func `of several faults the one nearer to the machine comes first`() throws {
    var kernel = Self.one
    kernel.setCarrier("eth0", false)
    Self.addDeadTunnel(to: &kernel)
    kernel.resolver = .none("/etc/resolv.conf")
    #expect(try Self.causes(kernel).map(\.code) == [.noCarrier, .deadTunnel, .noNameServer])
    #expect(try Self.causes(kernel).map(\.subject) == ["eth0", "tun0", "/etc/resolv.conf"])
    #expect(
      try Self.causes(kernel, overrides: try Self.override()).map(\.code)
        == [.overridden, .noCarrier, .deadTunnel, .noNameServer])
  }

  @Test func `a fault that follows from a nearer one is left out`() throws {
    var kernel = Self.one
    kernel.setDown("eth0")
    #expect(try Self.causes(kernel).map(\.code) == [.switchedOff], "the routes went with the link")
    var addressless = FakeKernel()
    addressless.install(.up(2, "eth0"), "169.254.7.8/16")
    #expect(try Self.causes(addressless).map(\.code) == [.selfAssignedAddress], "DHCP would bring the route")
  }

  @Test func `a missing default route is a fault of its own behind a missing carrier`() throws {
    var kernel = Self.one
    kernel.deleteRoute(RouteSpec("default"))
    kernel.setCarrier("eth0", false)
    #expect(try Self.causes(kernel).map(\.code) == [.noCarrier, .noDefaultRoute])
  }

  @Test func `an unknown path has no diagnosis`() throws {
    var kernel = Self.one
    let evaluation = try kernel.evaluate()
    #expect(
      PathDiagnosis(evaluation, path: .unknown, state: kernel.state, resolver: kernel.resolver).causes.isEmpty)
  }

  @Test(arguments: ScenarioTable.all)
  func `every situation has a cause, in one line, and a path that is satisfied is connected`(_ scenario: Scenario)
    throws
  {
    var kernel = FakeKernel(after: scenario.steps)
    let path = try kernel.evaluate().path
    let causes = try Self.causes(kernel)
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

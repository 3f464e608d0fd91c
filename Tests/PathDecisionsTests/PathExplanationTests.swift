import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Explanations")
struct PathExplanationTests {
  private static func explain(_ kernel: FakeKernel, notes: [String] = []) throws -> [String] {
    var kernel = kernel
    let evaluation = try kernel.evaluate()
    return steps(evaluation, kernel, notes)
  }

  private static func steps(_ evaluation: PathEvaluation, _ kernel: FakeKernel, _ notes: [String] = []) -> [String] {
    let causes = PathDiagnosis(
      evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver
    ).causes
    return PathExplanation.steps(
      evaluation, path: evaluation.path, causes: causes, state: kernel.state, resolver: kernel.resolver, notes: notes)
  }

  @Test(arguments: ScenarioTable.all)
  func `each lookup is there, each family is summed up, and the verdict comes first`(_ scenario: PathCase) throws {
    var kernel = try scenario.network().kernel
    let evaluation = try kernel.evaluate()
    let steps = Self.steps(evaluation, kernel)
    for lookup in evaluation.lookups {
      let beginning = (lookup.query.kind == .match ? "match" : "resolve") + " \(lookup.query.destination)"
      #expect(steps.contains { $0.hasPrefix(beginning) })
    }
    let lookups = steps.filter { $0.hasPrefix("match ") || $0.hasPrefix("resolve ") }
    #expect(lookups.count == Set(evaluation.lookups).count)
    #expect(steps.filter { $0.hasPrefix("link ") }.count == kernel.state.interfaces.count)
    #expect(steps.filter { $0.hasPrefix("IPv4: ") || $0.hasPrefix("IPv6: ") }.count == 2)
    #expect(steps.first?.hasPrefix("verdict: ") == true)
    let reason = evaluation.path.unsatisfiedReason?.rawValue ?? "connected"
    #expect(steps.first?.contains(reason) == true)
    for step in steps { #expect(!step.contains("\n")) }
  }

  /// Expects the lines among the steps, in any order.
  private static func expect(
    _ lines: String..., in steps: [String], at location: SourceLocation = #_sourceLocation
  ) {
    #expect(lines.filter { !steps.contains($0) } == [], sourceLocation: location)
  }

  @Test func `a connected machine is explained from the verdict to its links`() throws {
    let steps = try Self.explain(FakeKernel.one)
    Self.expect(
      "link lo (index 1): loopback; state UNKNOWN",
      "link eth0 (index 10, kind veth): usable; state UP; addresses 192.0.2.2/24, fe80::a/64 (link-local); "
        + "type wiredEthernet (kind of a pair)",
      "match 17.253.0.1: unicast /0 in table main, metric 0, via 192.0.2.1 dev eth0",
      "resolve 193.0.14.129: unicast, via 192.0.2.1 dev eth0, source 192.0.2.2",
      "match 2001:7fd::1: no route (ENETUNREACH)",
      "IPv4: 2 of 2 sample addresses have a usable route (1 not asked for, as most of them agree), so supported, "
        + "over eth0",
      "sample address 2001:dc3::35 has no usable route: noRoute",
      "IPv6: 0 of 2 sample addresses have a usable route (1 not asked for, as most of them agree), so not supported",
      "DNS supported; name servers: 192.0.2.53", in: steps)
    #expect(steps.first == "verdict: connected over eth0 (wired Ethernet) via 192.0.2.1")
  }

  @Test func `an outage is explained with its place`() throws {
    var kernel = FakeKernel.two
    kernel.setCarrier("eth0", false)
    let steps = try Self.explain(kernel)
    #expect(steps.contains { $0.hasPrefix("link eth0 (index 10, kind veth): no carrier; state DOWN") })
    Self.expect(
      "match 17.253.0.1: unicast /0 in table main, metric 100, via 192.0.2.1 dev eth0 (link down)",
      "sample address 17.253.0.1 has no usable route: noCarrier at eth0",
      "eth1: usable by bound sockets (IPv4, metric 200, via 198.51.100.1), not used: eth0 has the lower metric 100",
      in: steps)
    #expect(steps.first?.hasPrefix("verdict: unsatisfied, linkDownRoute: ") == true)
  }

  @Test func `the place in the verdict is that of the closest reason`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.install(.up(3, "eth1"))
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "eth0")))
    kernel.addRoute(RouteSpec("default", .via(nil, "eth1")))
    kernel.setCarrier("eth0", false)
    let steps = try Self.explain(kernel)
    Self.expect(
      "sample address 17.253.0.1 has no usable route: noAddress at eth1",
      "sample address 2001:dc3::35 has no usable route: noCarrier at eth0", in: steps)
    #expect(steps.first?.hasPrefix("verdict: unsatisfied, noCarrier: the route leads over eth0") == true)
  }

  @Test func `refusals name the refusing rule or route`() throws {
    for (action, words) in [
      (RuleSpec.Action.prohibit, "prohibited (EACCES)"), (.blackhole, "blackhole (EINVAL)"),
      (.unreachable, "no route (ENETUNREACH)"),
    ] {
      var kernel = FakeKernel.one
      kernel.addRule(RuleSpec(100, action))
      #expect(try Self.explain(kernel).contains("match 17.253.0.1: \(words)"))
    }
    var kernel = FakeKernel.one
    kernel.addRoute(RouteSpec(RouteType.unreachable, "17.0.0.0/8"))
    #expect(try Self.explain(kernel).contains("match 17.253.0.1: unreachable (EHOSTUNREACH)"))
  }

  @Test func `links and addresses that are not usable have a reason`() throws {
    var kernel = FakeKernel()
    kernel.install(LinkFacts(index: 2, name: "eth0"))
    kernel.install(.up(3, "wlan0", operationalState: .dormant))
    kernel.install(.up(4, "dummy0", kind: "dummy", operationalState: .unknown))
    kernel.install(.up(5, "eth1", master: 6))
    let flags: [(UInt64, AddressFlags)] = [
      (1, [.tentative]), (2, [.tentative, .optimistic]), (3, [.duplicate]), (4, [.deprecated]), (5, []),
    ]
    for (number, flags) in flags {
      kernel.update(
        AddressFacts(
          interfaceIndex: 3, address: IPAddress(ipv6: 0x2001_0db8 << 32, number), prefixLength: 64, flags: flags))
    }
    Self.expect(
      "link eth0 (index 2): set down; state UNKNOWN",
      "link wlan0 (index 3): waits for authentication; state DORMANT; addresses 2001:db8::1/64 (tentative), "
        + "2001:db8::2/64 (optimistic), 2001:db8::3/64 (duplicate), 2001:db8::4/64 (deprecated), 2001:db8::5/64",
      "link dummy0 (index 4, kind dummy): a sink: discards what is sent to it; state UNKNOWN",
      "link eth1 (index 5, port of interface 6): usable; state UP",
      "DNS not supported without a path; name servers: 192.0.2.53", in: try Self.explain(kernel))
  }

  @Test func `evidence of cost, expiry and notes are in the explanation`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "wwan0", kind: "wwan"), "2001:db8::2/64")
    var route = RouteSpec("::/0", .via("fe80::1", "wwan0"))
    route.expires = 6_000
    kernel.addRoute(route)
    kernel.resolver = .localResolver(upstream: ["192.0.2.53", "192.0.2.54"])
    let steps = try Self.explain(kernel, notes: ["the event filter was refused"])
    #expect(steps.contains("  * certain  expensive  interfaceType  wwan0 is a cellular interface"))
    #expect(steps.contains { $0.hasPrefix("match 2001:7fd::1: ") && $0.hasSuffix("expires in 60 s") })
    #expect(steps.contains { $0.hasPrefix("evaluated again after 60.03 seconds") })
    #expect(steps.contains("DNS supported; name servers: systemd-resolved asks 192.0.2.53, 192.0.2.54"))
    #expect(steps.contains("note: the event filter was refused"))
    #expect(steps.first == "verdict: connected over wwan0 (cellular) via fe80::1%wwan0, metered")
  }

  @Test(arguments: [
    (ResolverFacts.none("/etc/resolv.conf"), "DNS not supported; name servers: none in /etc/resolv.conf"),
    (.unknown("permission denied"), "DNS supported; name servers: unknown: permission denied"),
    (
      .localResolver(upstream: []), "DNS not supported; name servers: systemd-resolved runs, but knows no server to ask"
    ),
    (
      .servers(["127.0.0.53"]),
      "DNS supported; name servers: 127.0.0.53, which is systemd-resolved without a list of its own: taken to work"
    ),
    (
      .servers(["127.0.0.1", "fe80::1%eth0"]),
      "DNS supported; name servers: 127.0.0.1, a resolver on this machine: taken to work, fe80::1%eth0"
    ),
    (.servers(["router.lan"]), "DNS not supported; name servers: 'router.lan', which is no address"),
  ])
  func `the explanation has a step for name lookups`(resolver: ResolverFacts, step: String) throws {
    var kernel = FakeKernel.one
    kernel.resolver = resolver
    #expect(try Self.explain(kernel).contains(step))
  }

  @Test func `a multipath route names each leg and its state`() throws {
    var kernel = FakeKernel(
      "uplink eth0 192.0.2.2/24 via 192.0.2.1 metric 100; cable eth1 198.51.100.2/24")
    kernel.deleteRoute(RouteSpec("default", metric: 100))
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), .via("198.51.100.1", "eth1")))
    kernel.setDown("eth1")
    #expect(
      try Self.explain(kernel).contains(
        "match 17.253.0.1: unicast /0 in table main, metric 0; leg via 192.0.2.1 dev eth0; "
          + "leg via 198.51.100.1 dev eth1 (link down) (dead)"))
  }
}

import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Lookups with the chosen source address")
struct SourceLookupTests {
  /// `eth0` (10) with 192.0.2.2 and the default route of the main table, `eth1` (11) with 198.51.100.2 and that of
  /// table 100.
  private static func kernel(_ rules: RuleSpec...) -> FakeKernel {
    var kernel = FakeKernel(after: ScenarioTable.one)
    kernel.install(.up(11, "eth1"), "198.51.100.2/24")
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), table: 100))
    for rule in rules { kernel.addRule(rule) }
    return kernel
  }

  @Test func `a rule for the chosen IPv4 source leads packets to its table`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 100), from: "192.0.2.2/32"))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.first?.name == "eth1")
    #expect(path.gateways.first?.description == "198.51.100.1")
  }

  @Test func `the source is the one of the first lookup, whatever the second leads over`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 100), from: "192.0.2.2/32"))
    #expect(try kernel.evaluate().path.sourceAddresses.map(\.description) == ["192.0.2.2"])
  }

  @Test func `the source that a route names is that of the path`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(10, "eth0"), "192.0.2.2/24", "192.0.2.3/24", "2001:db8::2/64")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), source: "192.0.2.3"))
    #expect(try kernel.evaluate().path.sourceAddresses.map(\.description) == ["192.0.2.3"])
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8::1", "eth0")))
    #expect(try kernel.evaluate().path.sourceAddresses.map(\.description) == ["192.0.2.3", "2001:db8::2"])
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.sourceAddresses.isEmpty)
  }

  @Test func `a rule for another source changes nothing`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 100), from: "203.0.113.0/24"))
    #expect(try kernel.evaluate().path.interfaces.first?.name == "eth0")
  }

  @Test func `a table that refuses the chosen source refuses the connection`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 101), from: "192.0.2.2/32"))
    kernel.addRoute(RouteSpec(RouteType.unreachable, "default", table: 101))
    let path = try kernel.evaluate().path
    #expect(path.status == .unsatisfied)
    #expect(path.unsatisfiedReason == .prohibited)
  }

  @Test func `with rules that look at sources the first lookup decides only the source`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 100), from: "192.0.2.2/32"))
    kernel.setCarrier("eth0", false)
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth1"])
  }

  @Test func `a bound socket goes by the table of its address`() throws {
    var kernel = Self.kernel(RuleSpec(1000, .lookup(table: 100), from: "198.51.100.2/32"))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0", "eth1"])
    kernel = Self.kernel()
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
  }

  @Test func `each leg of a multipath route is followed from its own source`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(10, "eth0"), "192.0.2.2/24")
    kernel.install(.up(11, "eth1"), "198.51.100.2/24")
    kernel.install(.up(12, "eth2"), "203.0.113.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), .via("198.51.100.1", "eth1")))
    kernel.addRoute(RouteSpec("default", .via("203.0.113.1", "eth2"), table: 100))
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), table: 101))
    kernel.addRule(RuleSpec(1000, .lookup(table: 100), from: "192.0.2.2/32"))
    kernel.addRule(RuleSpec(1001, .lookup(table: 101), from: "198.51.100.2/32"))
    #expect(try kernel.evaluate().families[0].primaryLegs.map(\.interfaceIndex) == [12, 11])
  }

  @Test func `a route that prefers an address which is gone is no path, as connect(2) refuses it`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    let (probes, gone) = (ProbeAddresses.standard.ipv4, IPAddress.literal("192.0.2.9"))
    let leg = RouteLeg(interfaceIndex: 10, gateway: .literal("192.0.2.1"))
    for probe in probes {
      kernel.scriptedAnswers[RouteQuery(destination: probe, kind: .resolve)] =
        .route(RouteFacts(source: gone, legs: [leg]))
      for kind in [RouteQuery.Kind.match, .resolve] {
        kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind, source: gone)] = .refused(errorNumber: 22)
      }
    }
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noAddress)
    let cause = try #require(try kernel.causes().first)
    #expect(cause.code == .noAddress && cause.subject == "eth0")
    #expect(
      cause.sentence
        == "the route over eth0 in table main sets the source 192.0.2.9, which is no address of this machine")
  }

  @Test func `without a rule that looks at sources no lookup names one`() throws {
    var kernel = Self.kernel()
    _ = try kernel.evaluate()
    #expect(kernel.batches.joined().allSatisfy { $0.source == nil })
  }

  // MARK: IPv6

  private static func kernelIPv6(_ routes: RouteSpec...) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(10, "eth0"), "2001:db8:a::2/64")
    kernel.install(.up(11, "eth1"), "2001:db8:b::2/64")
    for route in routes { kernel.addRoute(route) }
    return kernel
  }

  private static func route(from: Prefix, _ hop: RouteSpec.Hop) -> RouteSpec {
    var route = RouteSpec("::/0", hop)
    route.from = from
    return route
  }

  @Test func `after a refusal IPv6 looks up again with a source`() throws {
    var kernel = Self.kernelIPv6(Self.route(from: "2001:db8:a::/64", .via("2001:db8:a::1", "eth0")))
    let path = try kernel.evaluate().path
    #expect(path.supportsIPv6)
    #expect(path.interfaces.map(\.name) == ["eth0"])
  }

  @Test func `a rule for the source that IPv6 falls back to leads to its table`() throws {
    var kernel = Self.kernelIPv6(RouteSpec("::/0", .via("2001:db8:a::1", "eth0"), table: 100))
    kernel.addRule(RuleSpec(1000, .lookup(table: 100), family: .ipv6, from: "2001:db8:a::/64"))
    #expect(try kernel.evaluate().path.supportsIPv6)
  }

  @Test func `IPv6 tries no other source than the one it chooses`() throws {
    var kernel = Self.kernelIPv6(Self.route(from: "2001:db8:b::/64", .via("2001:db8:b::1", "eth1")))
    #expect(try !kernel.evaluate().path.supportsIPv6)
  }

  @Test func `a first IPv6 lookup that succeeds stands`() throws {
    var kernel = Self.kernelIPv6(
      RouteSpec("::/0", .via("2001:db8:b::1", "eth1")),
      Self.route(from: "2001:db8:a::/64", .via("2001:db8:a::1", "eth0")))
    #expect(try kernel.evaluate().families.first { $0.family == .ipv6 }?.primaryLegs.map(\.interfaceIndex) == [11])
  }
}

@Suite("The source address that IPv6 chooses")
struct SourceSelectionTests {
  private static let probe = IPAddress.literal("2001:7fd::1")

  /// The source for an address of Internet's, of interfaces with these addresses.
  private static func source(
    _ addresses: [(Int32, String, AddressFlags)], for destination: IPAddress = probe
  ) -> String? {
    var state = KernelState()
    for index in Set(addresses.map(\.0)) { state.update(LinkFacts.up(index, "eth\(index)")) }
    for (index, text, flags) in addresses {
      state.update(
        AddressFacts(interfaceIndex: index, address: .literal(text), prefixLength: 64, flags: flags))
    }
    return SourceSelection.source(for: destination, in: state)?.description
  }

  @Test func `a machine without an address beyond the link has none`() {
    #expect(Self.source([(2, "fe80::1", []), (3, "2001:db8::1", .tentative), (4, "2001:db8::2", .duplicate)]) == nil)
  }

  @Test func `a preferred address wins over a deprecated one (rule 3)`() {
    #expect(Self.source([(2, "2001:db8:a::1", .deprecated), (3, "2001:db8:b::1", [])]) == "2001:db8:b::1")
  }

  @Test func `an address with the label of the destination wins over a local or tunnelled one (rule 6)`() {
    #expect(Self.source([(2, "fd00::1", []), (3, "2001:db8:b::1", [])]) == "2001:db8:b::1")
    #expect(Self.source([(2, "2002:c000:201::1", []), (3, "2a00::1", [])]) == "2a00::1")
    #expect(Self.source([(2, "2001:db8::1", []), (3, "fd00:1::1", [])], for: .literal("fd12::1")) == "fd00:1::1")
  }

  @Test func `the longest common prefix wins, no longer than the prefix of the address (rule 8)`() {
    #expect(Self.source([(2, "2a00::1", []), (3, "2001:db8::1", [])]) == "2001:db8::1")
    #expect(Self.source([(2, "2001:7fd::2", []), (3, "2001:7fd:0:0:8000::1", [])]) == "2001:7fd::2")
  }

  @Test func `of equals the first interface's address is taken`() {
    #expect(Self.source([(3, "2001:db8:a::1", []), (2, "2001:db8:b::1", [])]) == "2001:db8:b::1")
  }

  @Test func `of equals of an interface the newest address is taken`() {
    var state = KernelState()
    state.update(LinkFacts.up(2, "eth0"))
    for (text, createdAt) in [("2001:db8::1", 300), ("2001:db8::2", 500), ("2001:db8::3", 400)] as [(_, UInt32)] {
      state.update(
        AddressFacts(interfaceIndex: 2, address: .literal(text), prefixLength: 64, createdAt: createdAt))
    }
    #expect(SourceSelection.source(for: Self.probe, in: state)?.description == "2001:db8::2")
  }

  @Test func `an address in a routing domain of its own is none for other sockets`() {
    var state = KernelState()
    state.update(LinkFacts.up(2, "vrf0", kind: "vrf"))
    state.update(LinkFacts.up(3, "eth0", master: 2))
    state.update(AddressFacts(interfaceIndex: 3, address: .literal("2001:db8::1"), prefixLength: 64))
    #expect(SourceSelection.source(for: Self.probe, in: state) == nil)
  }
}

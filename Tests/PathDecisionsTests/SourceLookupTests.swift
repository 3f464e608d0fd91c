import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Lookups with the chosen source address")
struct SourceLookupTests {
  /// `eth0` (10) with 192.0.2.2 and the default route of the main table, `eth1` (11) with 198.51.100.2 and that of
  /// table 100.
  private static func kernel(_ rules: RuleSpec...) -> FakeKernel {
    var kernel = FakeKernel.one
    kernel.install(.up(11, "eth1"), "198.51.100.2/24")
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), table: 100))
    for rule in rules { kernel.addRule(rule) }
    return kernel
  }

  @Test func `a route that prefers an address which is gone is no path, as connect(2) refuses it`() throws {
    var kernel = FakeKernel.one
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
  }

  @Test func `without a rule that looks at sources no lookup names one`() throws {
    var kernel = Self.kernel()
    _ = try kernel.evaluate()
    #expect(kernel.batches.joined().allSatisfy { $0.source == nil })
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

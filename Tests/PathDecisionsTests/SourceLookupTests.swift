import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Lookups with the chosen source address")
struct SourceLookupTests {
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
}

@Suite("The source address that IPv6 chooses")
struct SourceSelectionTests {
  private static let probe = IPAddress.literal("2001:7fd::1")

  @Test(
    arguments: [
      // Only an address beyond the link that has passed its check is one.
      ([(2, "fe80::1", []), (3, "2001:db8::1", .tentative), (4, "2001:db8::2", .duplicate)], nil),
      // Rule 3: a preferred address rather than a deprecated one.
      ([(2, "2001:db8:a::1", .deprecated), (3, "2001:db8:b::1", [])], "2001:db8:b::1"),
      // Rule 6: one with the label of the destination rather than a local or tunnelled one.
      ([(2, "fd00::1", []), (3, "2001:db8:b::1", [])], "2001:db8:b::1"),
      ([(2, "2002:c000:201::1", []), (3, "2a00::1", [])], "2a00::1"),
      // Rule 7, and an address that is still checked comes last.
      ([(2, "2001:db8::1", .temporary), (3, "2001:db8::2", [])], "2001:db8::2"),
      ([(2, "2001:db8::1", [.tentative, .optimistic]), (3, "2001:db8::2", [])], "2001:db8::2"),
      // Rule 8: the longest common prefix, no longer than the prefix of the address.
      ([(2, "2a00::1", []), (3, "2001:db8::1", [])], "2001:db8::1"),
      ([(2, "2001:7fd::2", []), (3, "2001:7fd:0:0:8000::1", [])], "2001:7fd::2"),
      // Of equals the first interface's address.
      ([(3, "2001:db8:a::1", []), (2, "2001:db8:b::1", [])], "2001:db8:b::1"),
    ] as [([(Int32, String, AddressFlags)], String?)])
  func `the rules of RFC 6724 choose among the addresses`(
    addresses: [(index: Int32, text: String, flags: AddressFlags)], source: String?
  ) {
    #expect(SourceSelection.source(for: Self.probe, in: Self.state(addresses))?.description == source)
  }

  @Test func `a local address is the source for a local destination`() {
    let state = Self.state([(2, "2001:db8::1", []), (3, "fd00:1::1", [])])
    #expect(SourceSelection.source(for: .literal("fd12::1"), in: state)?.description == "fd00:1::1")
  }

  private static func state(_ addresses: [(index: Int32, text: String, flags: AddressFlags)]) -> KernelState {
    var state = KernelState()
    for index in Set(addresses.map(\.index)) { state.update(LinkFacts.up(index, "eth\(index)")) }
    for (index, text, flags) in addresses {
      state.update(AddressFacts(interfaceIndex: index, address: .literal(text), prefixLength: 64, flags: flags))
    }
    return state
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

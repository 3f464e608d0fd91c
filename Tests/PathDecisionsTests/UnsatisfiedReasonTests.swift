import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Reasons for an unsatisfied path")
struct UnsatisfiedReasonTests {
  private static func reason(_ kernel: FakeKernel) throws -> UnsatisfiedReason? {
    var kernel = kernel
    let path = try kernel.evaluate().path
    #expect(path.status == .unsatisfied)
    #expect(path.knowledge == .known)
    return path.unsatisfiedReason
  }

  /// A kernel with a link and, where there is an address, a default route over it.
  private static func kernel(_ link: LinkFacts, _ address: Prefix? = nil) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(link)
    guard let address else { return kernel }
    kernel.addAddress(address, to: link.name)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", link.name)))
    return kernel
  }

  private static func link(_ change: (inout LinkFacts) -> Void) -> LinkFacts {
    var link = LinkFacts.up(2, "eth0")
    change(&link)
    return link
  }

  private static let down = link { $0.flags = [] }
  private static let unplugged = link {
    ($0.flags, $0.hasCarrier, $0.operationalState) = ([.up], false, .down)
  }
  private static let dormant = link {
    ($0.flags, $0.operationalState) = ([.up, .lowerUp], .dormant)
  }

  @Test func `no interface: there is none but loopback, sinks, and those that are down`() throws {
    #expect(try Self.reason(FakeKernel()) == .noInterface)
    #expect(try Self.reason(Self.kernel(Self.down)) == .noInterface)
    #expect(try Self.reason(Self.kernel(.up(2, "dummy0", kind: "dummy"))) == .noInterface)
  }

  @Test func `no carrier: with and without a route`() throws {
    #expect(try Self.reason(Self.kernel(Self.unplugged)) == .noCarrier)
    #expect(try Self.reason(Self.kernel(Self.unplugged, "192.0.2.2/24")) == .noCarrier)
  }

  @Test func `dormant: the link waits for authentication, with and without a route`() throws {
    #expect(try Self.reason(Self.kernel(Self.dormant)) == .dormant)
    #expect(try Self.reason(Self.kernel(Self.dormant, "192.0.2.2/24")) == .dormant)
  }

  @Test func `dormant is closer to working than no carrier`() throws {
    var kernel = Self.kernel(Self.dormant)
    kernel.install(Self.link { ($0.index, $0.name, $0.flags, $0.hasCarrier) = (3, "eth1", [.up], false) })
    #expect(try Self.reason(kernel) == .dormant)
  }

  @Test func `no address: the link is usable, but nothing gets beyond it`() throws {
    #expect(try Self.reason(Self.kernel(.up(2, "eth0"))) == .noAddress)
    var kernel = Self.kernel(.up(2, "eth0"))
    kernel.update(
      AddressFacts(interfaceIndex: 2, address: .literal("2001:db8::2"), prefixLength: 64, flags: .tentative))
    #expect(try Self.reason(kernel) == .noAddress)
  }

  @Test func `no route: there is an address and no way out`() throws {
    var kernel = Self.kernel(.up(2, "eth0"))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    #expect(try Self.reason(kernel) == .noRoute)
  }

  @Test func `prohibited: a route or rule forbids it`() throws {
    var kernel = Self.kernel(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRule(RuleSpec(100, .prohibit))
    #expect(try Self.reason(kernel) == .prohibited)
  }

  @Test func `sink interface: packets are discarded`() throws {
    #expect(try Self.reason(Self.kernel(.up(2, "dummy0", kind: "dummy"), "192.0.2.2/24")) == .sinkInterface)
  }

  @Test func `link-down route: another interface would be usable`() throws {
    var kernel = Self.kernel(Self.unplugged, "192.0.2.2/24")
    kernel.install(.up(3, "eth1"), "198.51.100.2/24")
    #expect(try Self.reason(kernel) == .noCarrier, "an interface without a way out is no help")
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), metric: 200))
    #expect(try Self.reason(kernel) == .linkDownRoute)
  }

  @Test func `of two families the reason that is closest to working is given`() throws {
    var kernel = Self.kernel(Self.unplugged, "192.0.2.2/24")
    kernel.install(.up(3, "eth1"))
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", "eth1")))
    #expect(try Self.reason(kernel) == .noCarrier, "IPv6 lacks an address")
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6))
    #expect(try Self.reason(kernel) == .noCarrier, "IPv6 is prohibited")
    kernel.install(Self.link { ($0.index, $0.name, $0.operationalState) = (2, "eth0", .dormant) })
    #expect(try Self.reason(kernel) == .dormant, "IPv4 waits for authentication")
  }

  @Test func `an unsatisfied path has no type, families, tunnel, DNS or cost`() throws {
    var kernel = Self.kernel(.up(2, "tun0", kind: "tun"), "192.0.2.2/24")
    kernel.addRule(RuleSpec(100, .prohibit))
    let path = try kernel.evaluate().path
    #expect(path.interfaceType == nil)
    #expect(!path.usesTunnel)
    #expect(!path.supportsIPv4)
    #expect(!path.supportsIPv6)
    #expect(!path.supportsDNS)
    #expect(path.cost == nil)
  }

  @Test func `without any probe nothing is reached, and no lookup is made`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    let evaluation = try kernel.evaluate(ProbeAddresses([]))
    #expect(evaluation.path.status == .unsatisfied)
    #expect(evaluation.path.unsatisfiedReason == .noRoute)
    #expect(kernel.batches.isEmpty)
  }

  @Test(arguments: [
    UnsatisfiedReason.noInterface, .noCarrier, .dormant, .noAddress, .noRoute, .linkDownRoute, .prohibited,
    .sinkInterface, .requirementNotMet, .overridden,
  ])
  func `every reason has words of its own, and they are no full sentence`(reason: UnsatisfiedReason) {
    #expect(reason.words != reason.rawValue)
    #expect(!reason.words.hasSuffix("."))
    #expect(!reason.words.contains("\n"))
  }

  @Test func `a reason from a newer version is shown by its name`() {
    #expect(UnsatisfiedReason(rawValue: "solarFlare").words == "solarFlare")
  }
}

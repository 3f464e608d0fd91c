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

  @Test func `no address: the link is usable, but nothing gets beyond it`() throws {
    #expect(try Self.reason(Self.kernel(.up(2, "eth0"))) == .noAddress)
    var kernel = Self.kernel(.up(2, "eth0"))
    kernel.update(
      AddressFacts(interfaceIndex: 2, address: .literal("2001:db8::2"), prefixLength: 64, flags: .tentative))
    #expect(try Self.reason(kernel) == .noAddress)
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

  @Test func `a rule that refuses is the reason for all who ask, whatever carried the traffic before`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0", kind: "veth"))
    kernel.install(.up(3, "eth1", kind: "veth"), "192.0.2.2/24")
    kernel.setCarrier("eth0", false)
    kernel.addRule(RuleSpec(40, .unreachable))
    for former: [Int32] in [[], [2], [3]] {
      let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: former)
      #expect(evaluation.path.unsatisfiedReason == .noRoute, "before: \(former)")
    }
  }

  @Test func `without any probe nothing is reached, and no lookup is made`() throws {
    var kernel = FakeKernel.one
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

import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Probes, majority and plurality")
struct ProbeMajorityTests {
  private static let gateways = ["eth0": "192.0.2.1", "eth1": "198.51.100.1", "eth2": "203.0.113.1"]

  /// As many probes as there are names, each routed over the interface; `-` has no route.
  private static func evaluate(_ interfaces: [String]) throws -> PathEvaluation {
    var kernel = FakeKernel.withCards(3)
    var probes: [IPAddress] = []
    for (number, name) in interfaces.enumerated() {
      let probe = IPAddress(ipv4: 0x0800_0001 + UInt32(number) << 8)
      probes.append(probe)
      if name != "-" { kernel.addRoute(RouteSpec(Prefix(probe, 32), .via(gateways[name], name))) }
    }
    return try kernel.evaluate(ProbeAddresses(probes))
  }

  @Test(arguments: [
    (["eth0"], true), (["-"], false), (["eth0", "-"], false), (["eth0", "eth0"], true), (["eth0", "eth0", "-"], true),
    (["eth0", "-", "-"], false), (["eth0", "eth0", "-", "-"], false), (["-", "eth0", "eth1", "eth0", "-"], true),
  ])
  func `a family is usable when more than half of its probes are`(interfaces: [String], isUsable: Bool) throws {
    let evaluation = try Self.evaluate(interfaces)
    #expect(evaluation.families.map(\.isUsable) == [isUsable])
    #expect(evaluation.path.supportsIPv4 == isUsable)
    #expect(evaluation.families[0].primaryLegs.isEmpty == !isUsable)
    #expect((evaluation.families[0].obstacle == nil) == isUsable)
  }

  @Test(arguments: [
    (["eth0", "eth1", "eth1"], "eth1"), (["eth1", "eth0", "eth1"], "eth1"), (["eth0", "eth1", "eth2"], "eth0"),
    (["eth2", "eth1", "eth0"], "eth2"), (["eth0", "eth1", "eth1", "eth0"], "eth0"), (["-", "eth2", "eth1"], "eth2"),
    (["-", "eth0", "eth1", "eth1"], "eth1"),
  ])
  func `the interface of most probes carries the traffic, of equals that of the first probe`(
    interfaces: [String], primary: String
  ) throws {
    let path = try Self.evaluate(interfaces).path
    #expect(path.interfaces.first?.name == primary)
    #expect(path.gateways.first?.description == Self.gateways[primary])
  }

  @Test func `a family without a probe is never supported`() throws {
    var kernel = FakeKernel.one
    kernel.addAddress("2001:db8::2/64", to: "eth0")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8::1", "eth0")))
    let path = try kernel.evaluate(ProbeAddresses([.literal("193.0.14.129")])).path
    #expect(path.supportsIPv4)
    #expect(!path.supportsIPv6)
  }

  @Test func `the path of another user follows the rules for that user`() throws {
    var kernel = FakeKernel.two
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "eth1"), table: 100))
    kernel.addRule(RuleSpec(1000, .lookup(table: 100), users: 1000...1099))
    #expect(try kernel.evaluate(user: 1000).path.interfaces.map(\.name) == ["eth1", "eth0"])
    #expect(try kernel.evaluate(user: 1100).path.interfaces.map(\.name) == ["eth0", "eth1"])
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0", "eth1"])
    #expect(kernel.batches[0].allSatisfy { $0.user == 1000 })
    #expect(kernel.batches.last?.allSatisfy { $0.user == nil } == true)
  }

  @Test func `the standard probes are three of each family, in both halves of IPv4`() {
    let probes = ProbeAddresses.standard
    #expect(probes.ipv4.map(\.description) == ["17.253.0.1", "193.0.14.129", "202.12.27.33"])
    #expect(probes.ipv6.map(\.description) == ["2001:7fd::1", "2001:dc3::35", "2620:149::1"])
  }

  @Test func `a probe that is named twice counts once`() throws {
    var kernel = FakeKernel.one
    let (reached, forbidden) = (IPAddress.literal("198.18.0.1"), IPAddress.literal("198.18.1.1"))
    kernel.addRoute(RouteSpec(RouteType.prohibit, "198.18.1.0/24"))
    let twice = try kernel.evaluate(ProbeAddresses([reached, reached]))
    #expect(twice.path.supportsIPv4)
    #expect(twice.families[0].probes.map(\.destination) == [reached])
    #expect(try !kernel.evaluate(ProbeAddresses([reached, forbidden, reached])).path.supportsIPv4)
  }

  @Test func `without any probe nothing is reached, and no lookup is made`() throws {
    var kernel = FakeKernel.one
    let evaluation = try kernel.evaluate(ProbeAddresses([]))
    #expect(evaluation.path.status == .unsatisfied)
    #expect(evaluation.path.unsatisfiedReason == .noRoute)
    #expect(kernel.batches.isEmpty)
  }
}

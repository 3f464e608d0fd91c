import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// Outages without a route: the link that got farthest is the culprit.
@Suite("The rank of uplinks")
struct UplinkRankTests {
  private static func off(_ index: Int32, _ name: String, kind: String? = nil) -> LinkFacts {
    LinkFacts(index: index, name: name, kind: kind)
  }

  private static func kernel(_ links: LinkFacts...) -> FakeKernel {
    var kernel = FakeKernel()
    for link in links { kernel.install(link) }
    return kernel
  }

  private static func cause(_ kernel: FakeKernel) throws -> String {
    let cause = try kernel.causes().first
    return "\(cause?.code.rawValue ?? "") \(cause?.subject ?? "")"
  }

  @Test("a spare port that is switched off is never the headline while another link is up", arguments: [nil, "veth"])
  func sparePort(kind: String?) throws {
    var kernel = Self.kernel(.up(2, "eth0", kind: kind), Self.off(3, "eth1", kind: kind))
    #expect(try Self.cause(kernel) == "noAddress eth0")
    kernel.addAddress("fe80::2/64", to: "eth0")
    #expect(try Self.cause(kernel) == "noAddress eth0")
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    #expect(try Self.cause(kernel) == "noDefaultRoute eth0")
    kernel.addRoute(RouteSpec(RouteType.blackhole, "default"))
    #expect(try Self.cause(kernel).hasPrefix("refusedByRoute"))
    kernel.deleteRoute(RouteSpec(RouteType.blackhole, "default"))
    kernel.removeAddress("192.0.2.2/24", from: "eth0")
    kernel.setCarrier("eth0", false)
    #expect(try Self.cause(kernel) == "noCarrier eth0")
  }

  @Test func `nor is it on a host of containers, which forwards for all its links`() throws {
    var card = LinkFacts.up(2, "eth0")
    card.forwards = true
    var kernel = Self.kernel(card, Self.off(3, "eth1"), .up(4, "docker0", kind: "bridge"))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    #expect(try Self.cause(kernel) == "noDefaultRoute eth0")
  }

  @Test func `a line that is up without a cable is, beside the LAN that this machine serves`() throws {
    var lan = LinkFacts.up(3, "lan0")
    lan.forwards = true
    var kernel = Self.kernel(.up(2, "wan0"), lan)
    kernel.addAddress("192.168.1.1/24", to: "lan0")
    kernel.setCarrier("wan0", false)
    #expect(try Self.cause(kernel) == "noCarrier wan0")
    kernel.setDown("wan0")
    #expect(try Self.cause(kernel) == "noDefaultRoute lan0")
  }

  @Test func `where only links into this machine's own networks are left, there is no interface`() throws {
    var docker = LinkFacts.up(4, "docker0", kind: "bridge")
    docker.forwards = true
    var kernel = Self.kernel(
      docker, .up(5, "vmnet8"), .up(6, "can0", hardwareType: 280), .up(7, "wpan0", hardwareType: 804))
    kernel.devices = [5: DeviceFacts(isVirtual: true)]
    kernel.addAddress("172.17.0.1/16", to: "docker0")
    kernel.addAddress("192.168.189.1/24", to: "vmnet8")
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noInterface)
    #expect(try Self.cause(kernel) == "noInterface ")
    kernel.install(.up(2, "eth0"))
    kernel.setCarrier("eth0", false)
    #expect(try Self.cause(kernel) == "noCarrier eth0")
  }

  @Test func `a rule that refuses is the reason for all who ask, whatever carried the traffic before`() throws {
    var kernel = Self.kernel(.up(2, "eth0", kind: "veth"), .up(3, "eth1", kind: "veth"))
    kernel.addAddress("192.0.2.2/24", to: "eth1")
    kernel.setCarrier("eth0", false)
    kernel.addRule(RuleSpec(40, .unreachable))
    for former: [Int32] in [[], [2], [3]] {
      let evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard, formerCarriers: former)
      #expect(evaluation.path.unsatisfiedReason == .noRoute, "before: \(former)")
    }
  }
}

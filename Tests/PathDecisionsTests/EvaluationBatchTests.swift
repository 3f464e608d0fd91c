import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Questions to the kernel")
struct EvaluationBatchTests {
  /// Two multipath uplinks, a spare, a tunnel: every reason for a question.
  private static func busyKernel() -> FakeKernel {
    var kernel = FakeKernel(
      """
      cable eth0 192.0.2.2/24; cable eth1 198.51.100.2/24; cable eth2 203.0.113.2/24;
      link add tun0 index 20 type vxlan id 20 dstport 4789; link set tun0 up; addr add 10.8.0.2/24 dev tun0;
      route add default nexthop via 192.0.2.1 dev eth0 nexthop via 198.51.100.1 dev eth1;
      route add default via 203.0.113.1 dev eth2 metric 100; route add default dev tun0 metric 200;
      addr add 2001:db8:1::2/64 dev eth0 nodad; -6 route add default via 2001:db8:1::1 dev eth0;
      addr add 2001:db8:2::2/64 dev eth1 nodad; -6 route add default via 2001:db8:2::1 dev eth1 metric 2000
      """)
    kernel.resolver = .servers(["192.0.2.53"])
    return kernel
  }

  private static func questions(_ destinations: [IPAddress]) -> [RouteQuery] {
    destinations.flatMap {
      [RouteQuery(destination: $0, kind: .match), RouteQuery(destination: $0, kind: .resolve)]
    }
  }

  /// The lookup of the name server in the kernel of these tests.
  private static let nameServer = RouteQuery(destination: .literal("192.0.2.53"), kind: .resolve)

  @Test func `the first batch asks about most of the probes of each family, and about the name server`() throws {
    var kernel = Self.busyKernel()
    _ = try kernel.evaluate()
    #expect(
      kernel.batches[0]
        == Self.questions(Array(ProbeAddresses.standard.ipv4[..<2]) + Array(ProbeAddresses.standard.ipv6[..<2]))
        + [Self.nameServer])
    kernel = .one
    let probe = IPAddress.literal("198.18.0.1")
    _ = try kernel.evaluate(ProbeAddresses([probe]))
    #expect(kernel.batches == [Self.questions([probe]) + [Self.nameServer]])
  }

  @Test func `the answer for one probe is never taken for that of another`() throws {
    var kernel = FakeKernel.one
    let second = RouteQuery(destination: ProbeAddresses.standard.ipv4[1], kind: .resolve)
    let leg = RouteLeg(interfaceIndex: 10, gateway: .literal("192.0.2.1"))
    kernel.scriptedAnswers[second] = .route(RouteFacts(source: .literal("169.254.7.7"), legs: [leg]))
    let family = try kernel.evaluate().families[0]
    #expect(family.isUsable)
    #expect(
      family.probes.map(\.outcome) == [.usable([leg]), .unusable(ProbeObstacle(.noAddress, at: 10)), .usable([leg])])
  }

  @Test func `the other probes of a family are asked about when the first ones do not agree`() throws {
    var kernel = FakeKernel.one
    kernel.addRoute(RouteSpec("193.0.14.0/24", .via("192.0.2.254", "eth0")))
    let family = try kernel.evaluate().families[0]
    #expect(kernel.batches[1] == Self.questions([ProbeAddresses.standard.ipv4[2]]))
    #expect(family.probes.count == 3)
    #expect(family.unaskedProbes == 0)
  }

  @Test func `the questions go out in six batches, in four when the probes agree`() throws {
    var kernel = Self.busyKernel()
    let path = try kernel.evaluate().path
    #expect(path.interfaces.map(\.name) == ["eth0", "eth1", "eth2", "tun0"])
    #expect(kernel.batches.count == 4, "\(kernel.batches.map(\.count)) questions")
    #expect(kernel.batches.joined().allSatisfy { $0.source == nil }, "no rule looks at sources")
    kernel = Self.busyKernel()
    kernel.addRoute(RouteSpec("193.0.14.0/24", .via("203.0.113.1", "eth2")))
    _ = try kernel.evaluate()
    #expect(kernel.batches.count == 6, "\(kernel.batches.map(\.count)) questions")
  }

  @Test func `a plain uplink takes one batch, as none does, and a spare one two more`() throws {
    for (kernel, batches) in [(FakeKernel(), 1), (.one, 1), (.two, 3)] {
      var kernel = kernel
      _ = try kernel.evaluate()
      #expect(kernel.batches.count == batches)
    }
  }

  @Test(arguments: 0..<3)
  func `a question that cannot be asked is our failure, and never an unsatisfied path`(batches: Int) {
    var kernel = FakeKernel.two
    kernel.batchesBeforeFailure = batches
    #expect(throws: FakeKernel.Failure()) { _ = try kernel.evaluate() }
    #expect(kernel.batches.count == batches)
  }

  @Test func `all questions and answers are kept in their order`() throws {
    var kernel = Self.busyKernel()
    let evaluation = try kernel.evaluate()
    #expect(evaluation.lookups.map(\.query) == kernel.batches.flatMap(\.self))
    for lookup in evaluation.lookups { #expect(try kernel.answers(to: [lookup.query]) == [lookup.answer]) }
  }
}

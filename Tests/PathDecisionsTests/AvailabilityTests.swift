import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Interfaces for bound sockets")
struct AvailabilityTests {
  /// `eth0` (2) is the path; further interfaces have the given default routes.
  private static func kernel(_ others: (name: String, metric: UInt32)...) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    for (number, other) in others.enumerated() {
      let subnet = IPAddress(ipv4: 0x0a00_0002 + UInt32(number) << 16)
      kernel.install(.up(Int32(number) + 3, other.name), Prefix(subnet, 24))
      kernel.addRoute(
        RouteSpec(
          "default", .via(IPAddress(ipv4: UInt32(subnet.low) - 1).description, other.name), metric: other.metric))
    }
    return kernel
  }

  @Test func `an interface without a way out is not listed, whatever route IPv4 would invent for it`() throws {
    var kernel = Self.kernel()
    kernel.install(.up(9, "docker0", kind: "bridge"), "172.17.0.1/16")
    let path = try kernel.evaluate().path
    #expect(path.interfaces.map(\.name) == ["eth0"])
    #expect(!kernel.batches.joined().contains { $0.kind == .resolve && $0.interfaceIndex == 9 })
  }

  @Test func `no lookup is made for an interface that is not usable, a sink or loopback`() throws {
    var kernel = Self.kernel(("eth1", 100))
    kernel.setCarrier("eth1", false)
    kernel.install(.up(8, "dummy0", kind: "dummy"), "10.9.0.1/24")
    kernel.addRoute(RouteSpec("default", .via(nil, "dummy0"), metric: 500))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
    #expect(kernel.batches.joined().allSatisfy { $0.interfaceIndex == 0 })
  }

  @Test func `no lookup is made for an interface without a usable address`() throws {
    var kernel = Self.kernel()
    kernel.install(.up(8, "eth1"), "169.254.1.1/16", "fe80::8/64")
    kernel.addRoute(RouteSpec("default", .via(nil, "eth1"), metric: 500))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
    #expect(kernel.batches.joined().allSatisfy { $0.interfaceIndex == 0 })
  }

  @Test func `an interface with both families is listed once`() throws {
    var kernel = Self.kernel(("eth1", 100))
    kernel.addAddress("2001:db8:2::2/64", to: "eth1")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8:2::1", "eth1"), metric: 50))
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6, to: "2001:7fd::/32"))
    kernel.addRule(RuleSpec(100, .prohibit, family: .ipv6, to: "2001:dc3::/32"))
    kernel.scriptedAnswers[
      RouteQuery(destination: .literal("2001:7fd::1"), kind: .match, interfaceIndex: 3)] =
      .route(RouteFacts(metric: 50, legs: [RouteLeg(interfaceIndex: 3)]))
    kernel.scriptedAnswers[
      RouteQuery(destination: .literal("2001:7fd::1"), kind: .resolve, interfaceIndex: 3)] =
      .route(RouteFacts(source: .literal("2001:db8:2::2"), legs: [RouteLeg(interfaceIndex: 3)]))
    let evaluation = try kernel.evaluate()
    #expect(evaluation.available.map(\.family) == [.ipv6, .ipv4])
    #expect(evaluation.path.interfaces.map(\.name) == ["eth0", "eth1"])
  }

  @Test func `a source that does not get beyond the link rules an interface out`() throws {
    var kernel = Self.kernel(("eth1", 100))
    let query = RouteQuery(destination: ProbeAddresses.standard.ipv4[0], kind: .resolve, interfaceIndex: 3)
    kernel.scriptedAnswers[query] =
      .route(RouteFacts(source: .literal("169.254.3.4"), legs: [RouteLeg(interfaceIndex: 3)]))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
    kernel.scriptedAnswers[query] = .refused(errorNumber: RoutingError.prohibited)
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
  }

  @Test(
    arguments: [
      .refused(errorNumber: 113), .route(RouteFacts(type: RouteType.unreachable, legs: [RouteLeg(interfaceIndex: 3)])),
      .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 2)])), .route(RouteFacts(type: RouteType.blackhole)),
      .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 3, isLinkDown: true)])),
      .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 3, isDead: true)])),
    ] as [RouteAnswer])
  func `only a living unicast route over the interface itself makes it usable`(answer: RouteAnswer) throws {
    var kernel = Self.kernel(("eth1", 100))
    let query = RouteQuery(destination: ProbeAddresses.standard.ipv4[0], kind: .match, interfaceIndex: 3)
    kernel.scriptedAnswers[query] = answer
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth0"])
  }

  @Test func `addresses, hardware address and size of packets are those of the link`() throws {
    var kernel = FakeKernel()
    var link = LinkFacts.up(2, "eth0")
    link.hardwareAddress = [0x02, 0x00, 0x5e, 0x10, 0x00, 0xff]
    link.mtu = 9000
    kernel.install(link, "192.0.2.2/24", "2001:db8::2/64", "169.254.1.1/16", "fe80::2/64")
    kernel.devices[2] = DeviceFacts(driver: "virtio_net")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    #expect(
      try kernel.evaluate().path.interfaces == [
        NetworkInterface(
          name: "eth0", index: 2, type: .wiredEthernet, mtu: 9000, hardwareAddress: "02:00:5e:10:00:ff",
          addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { NetworkInterface.Address($0) },
          driver: "virtio_net")
      ])
  }
}

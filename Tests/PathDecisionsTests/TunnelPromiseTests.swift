import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("The promise that a VPN carries everything")
struct TunnelPromiseTests {
  /// A VPN with the IPv4 default route beside a card with both families.
  private static var kernel: FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.install(.up(9, "tun0", kind: "tun", hardwareType: HardwareType.none))
    kernel.addAddress("192.0.2.2/24", to: "eth0")
    kernel.addAddress("10.8.0.2/24", to: "tun0")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), metric: 100))
    kernel.addRoute(RouteSpec("default", .via(nil, "tun0"), metric: 50))
    return kernel
  }

  private static var vpn: PathRequirement { get throws { try PathRequirement("vpn") } }

  @Test func `a VPN that carries every family keeps it`() throws {
    var kernel = Self.kernel
    let path = try kernel.evaluate().path
    #expect(path.usesTunnel)
    #expect(try Self.vpn.verdict(on: path) == .met)
  }

  @Test func `a family that leaves beside the VPN breaks it`() throws {
    var kernel = Self.kernel
    kernel.addAddress("2001:db8:1::2/64", to: "eth0")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8:1::1", "eth0")))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.first?.name == "tun0")
    #expect(path.supportsIPv6)
    #expect(try Self.vpn.verdict(on: path) == .notMet)
    let doubts = PathDiagnosis(
      try kernel.evaluate(), path: path, state: kernel.state, resolver: kernel.resolver
    ).causes
    #expect(doubts.first?.code == .outsideTunnel)
    #expect(doubts.first?.sentence.contains("IPv6") == true)
    #expect(doubts.first?.sentence.contains("eth0") == true)
  }

  @Test("one probe that leaves beside the VPN breaks it, whichever it is", arguments: 0..<3)
  func singleProbe(position: Int) throws {
    var kernel = Self.kernel
    let probe = ProbeAddresses.standard.ipv4[position]
    kernel.addRoute(RouteSpec(Prefix(probe, 32), .via("192.0.2.1", "eth0")))
    let evaluation = try kernel.evaluate()
    #expect(evaluation.path.status == .satisfied)
    #expect(evaluation.path.interfaces.first?.name == "tun0")
    #expect(try Self.vpn.verdict(on: evaluation.path) == .notMet)
    let doubts = PathDiagnosis(
      evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.resolver
    ).causes
    #expect(doubts.first?.code == .outsideTunnel)
  }

  @Test func `a next hop of the same route over a cable that is out breaks it, as packets leave there with the cable`()
    throws
  {
    for hasRuleForSources in [false, true] {
      var kernel = Self.kernel
      kernel.install(.up(3, "eth1"), "198.51.100.2/24")
      kernel.addRoute(RouteSpec("203.0.113.9/32", .via("192.0.2.1", "eth0")))
      kernel.addRoute(RouteSpec("default", .via(nil, "tun0"), .via("198.51.100.1", "eth1"), metric: 5))
      if hasRuleForSources { kernel.addRule(RuleSpec(1_000, .lookup(table: 254), from: "10.8.0.2/32")) }
      kernel.setCarrier("eth1", false)
      let path = try kernel.evaluate().path
      #expect(path.status == .satisfied && path.interfaces.first?.name == "tun0")
      #expect(!path.usesTunnel)
    }
  }

  @Test func `a probe that is refused does not leave beside the VPN`() throws {
    var kernel = Self.kernel
    kernel.addRoute(RouteSpec(RouteType.unreachable, Prefix(ProbeAddresses.standard.ipv4[2], 32)))
    #expect(try kernel.evaluate().path.usesTunnel)
  }

  @Test func `a bridge keeps it only if every port is a tunnel`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(4, "br0", kind: "bridge"))
    kernel.install(.up(5, "gretap1", kind: "gretap", master: 4))
    kernel.addAddress("10.8.0.2/24", to: "br0")
    kernel.addRoute(RouteSpec("default", .via("10.8.0.1", "br0")))
    #expect(try kernel.evaluate().path.usesTunnel)
    kernel.install(.up(6, "veth1", kind: "veth", master: 4))
    #expect(try !kernel.evaluate().path.usesTunnel)
  }

  // MARK: Translation

  @Test("a translator is no VPN, and has the type and the cost of the link below", arguments: ["tun", "ip6tnl"])
  func translator(kind: String) throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "wwan0", hardwareType: HardwareType.none))
    kernel.devices = [2: DeviceFacts(deviceType: "wwan")]
    kernel.install(.up(9, "clat", kind: kind, hardwareType: HardwareType.none))
    kernel.addAddress("2001:db8:1::2/64", to: "wwan0")
    kernel.addRoute(RouteSpec("::/0", .via("2001:db8:1::1", "wwan0")))
    kernel.addAddress("192.0.0.4/32", to: "clat")
    kernel.addRoute(RouteSpec("default", .via(nil, "clat")))
    let path = try kernel.evaluate().path
    #expect(path.supportsIPv4)
    #expect(!path.usesTunnel)
    #expect(path.interfaces.first?.name == "clat")
    #expect(path.interfaceType == .cellular)
    #expect(path.isExpensive)
    kernel.setCarrier("wwan0", false)
    #expect(try kernel.evaluate().path.status == .unsatisfied)
  }

  @Test func `other addresses of 192.0.0.0 are those of a tunnel`() throws {
    var kernel = Self.kernel
    kernel.addAddress("192.0.0.8/32", to: "tun0")
    kernel.removeAddress("10.8.0.2/24", from: "tun0")
    #expect(try kernel.evaluate().path.usesTunnel)
  }
}

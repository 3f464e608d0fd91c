import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// Links that rest on others: the diagnosis names the link to repair, not the one in the routes.
@Suite("Causes below bonds, VLANs and VRFs")
struct StackedLinkDiagnosisTests {
  private static let reason = "a cable is out, or the port at the other end is off"

  /// A link that is up and has no carrier.
  private static func silent(
    _ index: Int32, _ name: String, kind: String? = nil, parent: Int32? = nil, master: Int32? = nil
  ) -> LinkFacts {
    LinkFacts(
      index: index, name: name, flags: [.up], operationalState: .lowerLayerDown, hasCarrier: false, kind: kind,
      parentIndex: parent, masterIndex: master)
  }

  private static func switchedOff(
    _ index: Int32, _ name: String, kind: String? = nil, parent: Int32? = nil, master: Int32? = nil
  ) -> LinkFacts {
    LinkFacts(index: index, name: name, kind: kind, parentIndex: parent, masterIndex: master)
  }

  private static func kernel(_ links: LinkFacts..., addressAt name: String) -> FakeKernel {
    var kernel = FakeKernel()
    for link in links { kernel.install(link) }
    kernel.addAddress("192.0.2.2/24", to: name)
    if links.contains(where: { $0.name == name && $0.flags.contains(.up) && $0.masterIndex == nil }) {
      kernel.addRoute(RouteSpec("default", .via("192.0.2.1", name)))
    }
    return kernel
  }

  private static func one(_ kernel: FakeKernel) throws -> Diagnosis {
    let causes = try kernel.causes()
    #expect(causes.count == 1, "\(causes)")
    return try #require(causes.first)
  }

  // MARK: VLANs

  @Test func `a VLAN that the kernel switched off with its lower link is switched on with that`() throws {
    let kernel = Self.kernel(
      Self.switchedOff(2, "eth0"), Self.switchedOff(3, "eth0.10", kind: "vlan", parent: 2), addressAt: "eth0.10")
    #expect(
      try Self.one(kernel)
        == Diagnosis(code: .switchedOff, subject: "eth0", sentence: "eth0 below eth0.10 is switched off"))
  }

  @Test func `a VLAN that is switched off alone is the culprit`() throws {
    let kernel = Self.kernel(
      .up(2, "eth0"), Self.switchedOff(3, "eth0.10", kind: "vlan", parent: 2), addressAt: "eth0.10")
    #expect(
      try Self.one(kernel)
        == Diagnosis(code: .switchedOff, subject: "eth0.10", sentence: "eth0.10 is switched off"))
  }

  @Test func `an interface with an address that is switched off stands behind a missing default route`() throws {
    let kernel = Self.kernel(.up(2, "eth0"), Self.switchedOff(3, "eth1"), addressAt: "eth1")
    #expect(try kernel.causes().map(\.sentence) == ["eth1 is switched off", "eth0 has no address"])
    var other = kernel
    other.addAddress("198.51.100.2/24", to: "eth0")
    #expect(
      try other.causes().map(\.sentence) == [
        "eth0 has 198.51.100.2/24, but there is no default route", "eth1 is switched off",
      ])
  }

  @Test func `a VLAN without a carrier names its lower link, beside links that were never in use`() throws {
    let kernel = Self.kernel(
      Self.silent(2, "eth0"), Self.silent(3, "eth0.10", kind: "vlan", parent: 2), Self.silent(4, "eth1"),
      addressAt: "eth0.10")
    #expect(
      try Self.one(kernel)
        == Diagnosis(
          code: .noCarrier, subject: "eth0", sentence: "eth0 below eth0.10 has no carrier: \(Self.reason)"))
  }

  // MARK: Bonds

  @Test func `a bond without carrier names all its ports, and so does a VLAN on it`() throws {
    let sentence = "eth0 and eth1 below bond0 have no carrier: \(Self.reason)"
    var kernel = Self.kernel(
      Self.silent(4, "bond0", kind: "bond"), Self.silent(2, "eth0", master: 4), Self.silent(3, "eth1", master: 4),
      addressAt: "bond0")
    #expect(try Self.one(kernel) == Diagnosis(code: .noCarrier, subject: "eth0", sentence: sentence))
    kernel = Self.kernel(
      Self.silent(4, "bond0", kind: "bond"), Self.silent(2, "eth0", master: 4), Self.silent(3, "eth1", master: 4),
      Self.silent(5, "bond0.10", kind: "vlan", parent: 4), addressAt: "bond0.10")
    #expect(try Self.one(kernel) == Diagnosis(code: .noCarrier, subject: "eth0", sentence: sentence))
  }

  @Test func `a bond whose ports are switched off names them`() throws {
    let kernel = Self.kernel(
      Self.silent(4, "bond0", kind: "bond"), Self.switchedOff(2, "eth0", master: 4),
      Self.switchedOff(3, "eth1", master: 4), addressAt: "bond0")
    #expect(
      try Self.one(kernel)
        == Diagnosis(code: .switchedOff, subject: "eth0", sentence: "eth0 and eth1 below bond0 are switched off"))
  }

  @Test(arguments: ["bond", "team"])
  func `a bond without ports is no missing cable, also beside cards that were to be its ports`(kind: String) throws {
    var kernel = Self.kernel(Self.silent(4, "x0", kind: kind), addressAt: "x0")
    #expect(
      try Self.one(kernel)
        == Diagnosis(
          code: .bondWithoutPorts, subject: "x0", sentence: "x0, the only interface, is a \(kind) without ports"))
    kernel.install(.up(2, "eth0"))
    #expect(
      try kernel.causes().first
        == Diagnosis(
          code: .bondWithoutPorts, subject: "x0",
          sentence: "the route leads over x0, but x0 is a \(kind) without ports"))
  }

  @Test func `a preferred bond that is dead names its dead ports, beside the interface that is usable`() throws {
    var kernel = FakeKernel(after: ScenarioTable.two)
    kernel.install(Self.silent(14, "bond0", kind: "bond"))
    kernel.install(Self.silent(12, "eth8", master: 14))
    kernel.install(Self.silent(13, "eth9", master: 14))
    kernel.addAddress("198.51.100.2/24", to: "bond0")
    kernel.addRoute(RouteSpec("default", .via("198.51.100.1", "bond0"), metric: 1))
    #expect(
      try Self.one(kernel)
        == Diagnosis(
          code: .linkDownRoute, subject: "bond0",
          sentence: "the kernel prefers the route over bond0, which has no carrier, because eth8 and eth9 have none, "
            + "although eth0 and eth1 are usable"))
  }

  @Test(arguments: ["bridge", "bond"])
  func `an address on a port is a doubt, as its packets go to the bridge`(kind: String) throws {
    let kernel = Self.kernel(.up(2, "eth0", master: 3), .up(3, "x0", kind: kind), addressAt: "eth0")
    var routed = kernel
    routed.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    #expect(
      try Self.one(routed)
        == Diagnosis(
          code: .addressOnPort, subject: "eth0",
          sentence: "connected over eth0, but eth0 is a port of the \(kind) x0, which takes what arrives there"))
  }

  // MARK: Half of the destinations

  @Test func `a refusal of half the destinations is a doubt that names the route if it was read`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    kernel.addRoute(RouteSpec(RouteType.blackhole, "0.0.0.0/1"))
    var facts = RoutingFacts()
    facts.rules = [PolicyRule(family: .ipv4, priority: 32_766, action: .lookup(table: 254))]
    facts.refusingRoutes = [
      RoutingFacts.TableRoute(
        type: RouteType.blackhole, table: 254, destination: PolicyRule.Prefix(.literal("0.0.0.0"), length: 1))
    ]
    #expect(
      try kernel.causes(facts).first
        == Diagnosis(
          code: .refusedByRoute, subject: "table main",
          sentence: "connected over eth0, but part of the Internet cannot be reached: the kernel answers EINVAL by the "
            + "route 'blackhole 0.0.0.0/1' in table main"))
    #expect(try kernel.causes().first?.code == .refusedByRoute)
    #expect(try kernel.causes().first?.subject == nil)
  }

  @Test func `half of a dead VPN is a doubt, whatever else is usable`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    kernel.install(
      .up(20, "tun0", kind: "tun", hardwareType: HardwareType.none, operationalState: .unknown), "10.8.0.2/24")
    kernel.addRoute(RouteSpec("0.0.0.0/1", .via(nil, "tun0")))
    kernel.setCarrier("tun0", false)
    #expect(
      try kernel.causes().first
        == Diagnosis(
          code: .deadTunnel, subject: "tun0",
          sentence: "connected over eth0, but part of the traffic is routed into the tunnel tun0, whose other end "
            + "nobody serves"))
  }

  // MARK: VRFs

  /// A port of a VRF whose table has a default route, which only bound sockets find.
  private static func vrf() -> FakeKernel {
    var kernel = kernel(.up(3, "red", kind: "vrf"), .up(2, "eth0", master: 3), addressAt: "eth0")
    for probe in ProbeAddresses.standard.ipv4 {
      for index in Int32(2)...3 {
        for kind in [RouteQuery.Kind.match, .resolve] {
          kernel.scriptedAnswers[RouteQuery(destination: probe, kind: kind, interfaceIndex: index)] = .route(
            RouteFacts(
              prefixLength: 0, table: 10, source: .literal("192.0.2.2"),
              legs: [RouteLeg(interfaceIndex: 2, gateway: .literal("192.0.2.1"))]))
        }
      }
    }
    return kernel
  }

  @Test func `a default route in the table of a VRF alone serves programs that are bound to it`() throws {
    let cause = Diagnosis(
      code: .routeInVRF, subject: "red",
      sentence: "the only default route is that of the VRF red, which serves programs that are bound to it")
    var kernel = Self.vrf()
    #expect(try Self.one(kernel) == cause)
    kernel.install(.up(4, "eth1"), "198.51.100.2/24")
    #expect(try Self.one(kernel) == cause)
  }
}

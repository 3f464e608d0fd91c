import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Tunnels and stacked interfaces")
struct StackedInterfaceTests {
  private static let wifi = DeviceFacts(deviceType: "wlan", isWireless: true)
  private static let modem = DeviceFacts(deviceType: "wwan", driver: "qmi_wwan")

  /// The links, of which the first one is the path, with sysfs's values for some of them.
  private static func evaluate(
    _ links: LinkFacts..., devices: [Int32: DeviceFacts] = [:]
  ) throws -> NetworkPath {
    var kernel = FakeKernel()
    for link in links { kernel.install(link) }
    kernel.devices = devices
    kernel.addAddress("192.0.2.2/24", to: links[0].name)
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", links[0].name)))
    return try kernel.evaluate().path
  }

  // MARK: Inherited types

  @Test(arguments: ["vlan", "macvlan", "ipvlan", "macsec"])
  func `a link upon one other has its type and its cost`(kind: String) throws {
    let path = try Self.evaluate(
      .up(5, "x0", kind: kind, parent: 2), .up(2, "wwan0", hardwareType: 65_534), devices: [2: Self.modem])
    #expect(path.interfaceType == .cellular)
    #expect(path.isExpensive)
    #expect(path.interfaces[0].isExpensive)
    #expect(path.interfaces[0].underlying == ["wwan0"])
    #expect(!path.usesTunnel)
  }

  @Test func `a bridge or bond whose ports are of one type has that type`() throws {
    let path = try Self.evaluate(
      .up(5, "br0", kind: "bridge"), .up(2, "wlan0", master: 5), .up(3, "wlan1", master: 5),
      devices: [2: Self.wifi, 3: Self.wifi])
    #expect(path.interfaceType == .wifi)
    #expect(path.interfaces[0].underlying == ["wlan0", "wlan1"])
  }

  @Test(arguments: ["bridge", "bond", "team"])
  func `ports of several types make it wired Ethernet`(kind: String) throws {
    let path = try Self.evaluate(
      .up(5, "x0", kind: kind), .up(2, "wlan0", master: 5), .up(3, "eth0", master: 5), devices: [2: Self.wifi])
    #expect(path.interfaceType == .wiredEthernet)
    #expect(path.interfaces[0].underlying == ["wlan0", "eth0"])
  }

  @Test func `a bond with an active port has that port's type`() throws {
    let path = try Self.evaluate(
      .up(5, "bond0", kind: "bond", activePort: 2), .up(2, "wlan0", master: 5), .up(3, "eth0", master: 5),
      devices: [2: Self.wifi])
    #expect(path.interfaceType == .wifi)
    #expect(path.interfaces[0].underlying == ["wlan0"])
    let gone = try Self.evaluate(
      .up(5, "bond0", kind: "bond", activePort: 9), .up(3, "eth0", master: 5))
    #expect(gone.interfaces[0].underlying == ["eth0"])
  }

  @Test(arguments: [("bridge", InterfaceType.other), ("bond", .wiredEthernet), ("team", .wiredEthernet)])
  func `without ports a bridge is other, a bond wired Ethernet`(kind: String, type: InterfaceType) throws {
    let path = try Self.evaluate(.up(5, "x0", kind: kind))
    #expect(path.interfaceType == type)
    #expect(path.interfaces[0].underlying.isEmpty)
  }

  @Test func `the ports of virtual machines and containers do not change a bridge's type`() throws {
    let path = try Self.evaluate(
      .up(5, "br0", kind: "bridge"), .up(2, "wlan0", master: 5), .up(3, "veth1", kind: "veth", master: 5),
      .up(4, "vnet0", kind: "tun", master: 5), devices: [2: Self.wifi])
    #expect(path.interfaceType == .wifi)
    #expect(path.interfaces[0].underlying == ["wlan0"])
  }

  @Test func `a bridge with such ports alone has their type`() throws {
    let path = try Self.evaluate(
      .up(5, "br0", kind: "bridge"), .up(3, "veth1", kind: "veth", master: 5))
    #expect(path.interfaceType == .wiredEthernet)
    #expect(path.interfaces[0].underlying == ["veth1"])
  }

  @Test func `a macvlan whose parent is in another namespace is wired Ethernet`() throws {
    #expect(try Self.evaluate(.up(5, "eth0", kind: "macvlan")).interfaceType == .wiredEthernet)
    #expect(try Self.evaluate(.up(5, "eth0", kind: "macvlan", parent: 77)).interfaceType == .wiredEthernet)
  }

  @Test func `types are inherited through several floors`() throws {
    let path = try Self.evaluate(
      .up(9, "br0", kind: "bridge"), .up(8, "bond0.7", kind: "vlan", parent: 7, master: 9),
      .up(7, "bond0", kind: "bond", activePort: 2), .up(2, "wlan0", master: 7), devices: [2: Self.wifi])
    #expect(path.interfaceType == .wifi)
    #expect(path.interfaces[0].underlying == ["bond0.7"])
  }

  @Test func `links that claim to rest upon each other do no harm`() throws {
    let path = try Self.evaluate(
      .up(5, "a0", kind: "vlan", parent: 6), .up(6, "b0", kind: "vlan", parent: 5))
    #expect(path.status == .satisfied)
    let own = try Self.evaluate(.up(5, "a0", kind: "macvlan", parent: 5))
    #expect(own.status == .satisfied)
  }

  // MARK: Tunnels

  /// `tun0` (5) is the path; below it are the links, each with a default route of its metric.
  private static func tunnel(
    _ tunnel: LinkFacts, over links: [(link: LinkFacts, metric: UInt32)], devices: [Int32: DeviceFacts] = [:]
  ) throws -> NetworkPath {
    var kernel = FakeKernel()
    kernel.devices = devices
    kernel.install(tunnel, "10.8.0.2/24")
    kernel.addRoute(RouteSpec("default", .via(nil, tunnel.name)))
    for (link, metric) in links {
      kernel.install(link, Prefix(IPAddress(ipv4: 0xc000_0202 + UInt32(link.index) << 8), 24))
      kernel.addRoute(RouteSpec("default", .via(nil, link.name), metric: metric))
    }
    return try kernel.evaluate().path
  }

  @Test(arguments: ["tun", "wireguard", "vxlan", "gre", "xfrm"])
  func `a tunnel rests on the best usable interface that is no tunnel`(kind: String) throws {
    let path = try Self.tunnel(
      .up(5, "t0", kind: kind, operationalState: .unknown),
      over: [(.up(6, "t1", kind: kind), 10), (.up(2, "wlan0"), 200), (.up(3, "eth0"), 100)], devices: [2: Self.wifi])
    #expect(path.usesTunnel)
    #expect(path.interfaceType == .other)
    #expect(path.interfaces.map(\.name) == ["t0", "t1", "eth0", "wlan0"])
    #expect(path.interfaces.map(\.underlying) == [["eth0"], ["eth0"], [], []])
    #expect(path.interfaces.map(\.underlyingTypes) == [[.wiredEthernet], [.wiredEthernet], [], []])
    #expect(path.gateways.isEmpty)
  }

  @Test func `a tunnel whose lower link the kernel names rests on that`() throws {
    let path = try Self.tunnel(
      .up(5, "vxlan0", kind: "vxlan", parent: 2), over: [(.up(2, "wlan0"), 200), (.up(3, "eth0"), 100)],
      devices: [2: Self.wifi])
    #expect(path.interfaces[0].underlying == ["wlan0"])
    #expect(path.interfaces[0].underlyingTypes == [.wifi])
    #expect(path.interfaceType == .other)
  }

  @Test func `a tunnel in a tunnel over a VLAN has the types of all links below`() throws {
    let path = try Self.tunnel(
      .up(5, "t0", kind: "gre", parent: 6),
      over: [
        (.up(6, "t1", kind: "vxlan", parent: 7), 10), (.up(7, "wlan0.7", kind: "vlan", parent: 2), 100),
        (.up(2, "wlan0"), 200),
      ], devices: [2: Self.wifi])
    #expect(path.interfaces.map(\.name) == ["t0", "t1", "wlan0.7", "wlan0"])
    #expect(path.interfaces.map(\.underlyingTypes) == [[.other, .wifi], [.wifi], [.wifi], []])
    #expect(path.usesInterfaceType(.wifi) && path.usesInterfaceType(.other))
    #expect(!path.usesInterfaceType(.cellular))
  }

  @Test func `a tunnel beside the path does not make it one`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    kernel.install(.up(20, "wg0", kind: "wireguard"), "10.8.0.2/24")
    kernel.addRoute(RouteSpec("default", .via(nil, "wg0"), metric: 500))
    let path = try kernel.evaluate().path
    #expect(!path.usesTunnel)
    #expect(path.interfaces.map(\.name) == ["eth0", "wg0"])
  }

  @Test func `a tunnel alone has no known link below`() throws {
    let path = try Self.tunnel(.up(5, "tun0", kind: "tun"), over: [])
    #expect(path.interfaces.map(\.underlying) == [[]])
  }

  // MARK: Cost

  @Test func `a cellular path is expensive, for certain`() throws {
    let path = try Self.evaluate(.up(2, "wwan0", kind: "wwan", hardwareType: 65_534))
    #expect(path.isExpensive)
    #expect(!path.isConstrained)
    #expect(path.cost?.confidence == .certain)
    #expect(path.interfaces[0].isExpensive)
  }

  @Test(arguments: ["vxlan", "wireguard"])
  func `a tunnel over an expensive interface is expensive, over another it is not`(kind: String) throws {
    let links: [(LinkFacts, UInt32)] = [(.up(2, "wwan0", kind: "wwan"), 100), (.up(3, "eth0"), 200)]
    let parent: Int32? = kind == "vxlan" ? 2 : nil
    let path = try Self.tunnel(.up(5, "t0", kind: kind, parent: parent), over: links)
    #expect(path.isExpensive)
    #expect(path.interfaces.map(\.isExpensive) == [true, true, false])
    #expect(path.cost?.evidence.map(\.source) == [.interfaceType])
    let cheap = try Self.tunnel(
      .up(5, "t0", kind: kind, parent: parent.map { $0 + 1 }), over: links.map { ($0, 300 - $1) })
    #expect(!cheap.isExpensive)
    #expect(cheap.interfaces.map(\.isExpensive) == [false, false, true])
  }

  @Test func `behind a phone's hotspot the path is likely expensive`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "wlan0"), "172.20.10.4/28")
    kernel.addRoute(RouteSpec("default", .via("172.20.10.1", "wlan0")))
    let path = try kernel.evaluate().path
    #expect(path.isExpensive)
    #expect(path.cost?.confidence == .likely)
    #expect(path.interfaces[0].isExpensive)
  }

  @Test func `an expensive interface beside the path does not make it expensive`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    kernel.install(.up(20, "wwan0", kind: "wwan"), "10.64.0.2/30")
    kernel.addRoute(RouteSpec("default", .via(nil, "wwan0"), metric: 700))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.map(\.isExpensive) == [false, true])
    #expect(!path.isExpensive)
    #expect(path.cost?.confidence == .unknown)
    #expect(path.cost?.evidence.isEmpty == true)
  }

  @Test func `one expensive leg makes a multipath path expensive`() throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.install(.up(3, "wwan0", kind: "wwan"), "10.64.0.2/30")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0"), .via(nil, "wwan0")))
    let path = try kernel.evaluate().path
    #expect(path.interfaces.map(\.name) == ["eth0", "wwan0"])
    #expect(path.isExpensive)
  }

  @Test func `a name server makes DNS supported on a satisfied path only`() throws {
    var kernel = FakeKernel(after: ScenarioTable.one)
    #expect(try kernel.evaluate().path.supportsDNS)
    kernel.resolver = .none("/etc/resolv.conf")
    #expect(try !kernel.evaluate().path.supportsDNS)
  }
}

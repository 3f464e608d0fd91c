import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The links are as real kernels described them.
@Suite("Interface classification")
struct InterfaceClassificationTests {
  private static func classify(
    _ name: String, kind: String? = nil, hardwareType: UInt16 = HardwareType.ethernet, device: DeviceFacts? = nil
  ) -> InterfaceClass {
    var link = LinkFacts.up(2, name, kind: kind, hardwareType: hardwareType)
    link.device = device
    return InterfaceClassification.classify(link)
  }

  @Test func `loopback is known by its flag or hardware type`() {
    var link = LinkFacts.up(1, "lo")
    link.flags.insert(.loopback)
    #expect(InterfaceClassification.classify(link).type == .loopback)
    #expect(Self.classify("lo", hardwareType: 772).type == .loopback)
  }

  @Test func `a channel of a modem is cellular by its kind, though its hardware type is that of a tunnel`() {
    let wwan = Self.classify("wwan0-2", kind: "wwan", hardwareType: 65_534, device: DeviceFacts(deviceType: "wwan"))
    #expect(wwan.type == .cellular)
    #expect(!wwan.isTunnel)
    #expect(Self.classify("qmapmux0.0", kind: "rmnet", hardwareType: 519).type == .cellular)
  }

  @Test(arguments: [
    ("tun0", "tun", 65_534), ("tap0", "tun", 1), ("wg0", "wireguard", 65_534), ("gre1", "gre", 778),
    ("gretap1", "gretap", 1), ("tunl1", "ipip", 768), ("sit1", "sit", 776), ("ip6tnl1", "ip6tnl", 769),
    ("ip6gre1", "ip6gre", 823), ("vti1", "vti", 768), ("vti6", "vti6", 769), ("xfrm0", "xfrm", 65_534),
    ("vxlan0", "vxlan", 1), ("geneve0", "geneve", 1), ("l2tpeth0", "l2tpeth", 1), ("bareudp0", "bareudp", 65_534),
    ("erspan1", "erspan", 1), ("ovpn0", "ovpn", 65_534), ("awg0", "amneziawg", 65_534), ("tun1", "ovpn-dco", 65_534),
    ("x0", "unheard-of", 65_534),
  ])
  func `a tunnel is other, and rests on another interface`(name: String, kind: String, hardwareType: UInt16) {
    let tunnel = Self.classify(name, kind: kind, hardwareType: hardwareType)
    #expect(tunnel.type == .other)
    #expect(tunnel.isTunnel)
    #expect(!tunnel.inherits)
  }

  @Test(arguments: [("ppp0", "ppp", 512), ("vrf-red", "vrf", 1)])
  func `a link that may be a tunnel or a line of its own is other and not called a tunnel`(
    name: String, kind: String, hardwareType: UInt16
  ) {
    let link = Self.classify(name, kind: kind, hardwareType: hardwareType)
    #expect(link.type == .other)
    #expect(!link.isTunnel)
    #expect(!link.inherits)
  }

  @Test(arguments: [("dummy0", "dummy", 1), ("ifb0", "ifb", 1), ("nlmon0", "nlmon", 824), ("vcan0", "vcan", 280)])
  func `a sink is other`(name: String, kind: String, hardwareType: UInt16) {
    #expect(Self.classify(name, kind: kind, hardwareType: hardwareType).type == .other)
  }

  @Test(arguments: [
    "bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "macsec", "hsr", "failover",
  ])
  func `a stacked device has the type of the link below`(kind: String) {
    let link = Self.classify("x0", kind: kind, device: DeviceFacts(deviceType: kind))
    #expect(link.inherits)
    #expect(!link.isTunnel)
  }

  @Test(arguments: ["veth", "netkit"])
  func `one end of a pair is wired Ethernet`(kind: String) {
    #expect(Self.classify("eth0", kind: kind).type == .wiredEthernet)
  }

  @Test func `a wireless card is known by its device type or the wireless subsystem's entries`() {
    let facts = DeviceFacts(deviceType: "wlan", isWireless: true, driver: "mac80211_hwsim")
    #expect(Self.classify("wlan0", device: facts).type == .wifi)
    #expect(Self.classify("eth1", device: DeviceFacts(isWireless: true, driver: "8188eu")).type == .wifi)
    #expect(Self.classify("eth1", device: DeviceFacts(deviceType: "wlan")).type == .wifi)
  }

  @Test(arguments: [801, 802, 803] as [UInt16])
  func `a monitor interface is Wi-Fi`(hardwareType: UInt16) {
    #expect(Self.classify("hwsim0", hardwareType: hardwareType, device: DeviceFacts()).type == .wifi)
  }

  @Test func `a modem is known by its device type or a raw IP hardware type`() {
    let raw = DeviceFacts(deviceType: "wwan", driver: "qmi_wwan")
    #expect(Self.classify("wwp0s20u4", hardwareType: 65_534, device: raw).type == .cellular)
    for hardwareType: UInt16 in [519, 530, 821] {
      #expect(Self.classify("x0", hardwareType: hardwareType, device: nil).type == .cellular)
    }
  }

  @Test(arguments: ["rmnet0", "rmnet_data0", "rev_rmnet0", "ccmni0", "wwan0", "qmimux0"])
  func `a device without a kind and with a modem's name is cellular`(name: String) {
    #expect(Self.classify(name, hardwareType: 65_534).type == .cellular)
    #expect(Self.classify(name, device: DeviceFacts()).type == .cellular)
    #expect(Self.classify(name, hardwareType: 65_534, device: DeviceFacts(isVirtual: true)).type == .cellular)
  }

  @Test(arguments: [
    "qmi_wwan", "cdc_mbim", "huawei_cdc_ncm", "sierra_net", "hso", "cdc-phonet", "mhi_net", "iosm", "mtk_t7xx", "ipa",
  ])
  func `a device with a modem's driver is cellular`(driver: String) {
    #expect(Self.classify("usb0", device: DeviceFacts(driver: driver)).type == .cellular)
  }

  @Test(arguments: ["ipheth", "rndis_host", "cdc_ether", "cdc_ncm", "cdc_eem"])
  func `a USB network adapter or phone is wired Ethernet`(driver: String) {
    #expect(Self.classify("enx0", device: DeviceFacts(driver: driver)).type == .wiredEthernet)
    #expect(Self.classify("usb0", device: DeviceFacts(deviceType: "gadget", driver: driver)).type == .wiredEthernet)
  }

  @Test func `a Bluetooth network is other`() {
    #expect(Self.classify("bnep0", device: DeviceFacts(deviceType: "bluetooth")).type == .other)
    #expect(Self.classify("bt0", hardwareType: 825, device: DeviceFacts(deviceType: "bluetooth")).type == .other)
  }

  @Test func `a gadget, a switch port, InfiniBand and channel-to-channel devices are wired Ethernet`() {
    #expect(Self.classify("usb0", device: DeviceFacts(deviceType: "gadget")).type == .wiredEthernet)
    #expect(Self.classify("lan1", kind: "dsa", device: DeviceFacts(deviceType: "dsa")).type == .wiredEthernet)
    #expect(Self.classify("ib0", hardwareType: 32, device: DeviceFacts()).type == .wiredEthernet)
    #expect(Self.classify("ctc0", hardwareType: 256, device: DeviceFacts()).type == .wiredEthernet)
  }

  @Test(arguments: ["virtio_net", "ena", "hv_netvsc", "vmxnet3", "e1000e", nil])
  func `a device with Ethernet frames and nothing special is wired Ethernet`(driver: String?) {
    #expect(Self.classify("eth0", device: DeviceFacts(driver: driver)).type == .wiredEthernet)
  }

  @Test func `without sysfs a name with wl is Wi-Fi, and any other wired Ethernet`() {
    #expect(Self.classify("wlp3s0").type == .wifi)
    #expect(Self.classify("enp3s0").type == .wiredEthernet)
    #expect(Self.classify("wlp3s0", device: DeviceFacts()).type == .wiredEthernet)
    #expect(Self.classify("wlan0", kind: "veth").type == .wiredEthernet)
  }

  @Test func `an unknown device is other, not Ethernet`() {
    #expect(Self.classify("x0", kind: "newkind").type == .other)
    #expect(Self.classify("x0", hardwareType: 4242).type == .other)
    #expect(Self.classify("x0", device: DeviceFacts(deviceType: "newtype")).type == .other)
  }

  // MARK: The order of the rows

  @Test(
    arguments: [
      // kind, hardware type, device → type: each would fit a later row as well
      (nil, 772, DeviceFacts(deviceType: "wlan"), .loopback),
      ("wwan", 1, DeviceFacts(deviceType: "wlan"), .cellular),
      ("tun", 1, DeviceFacts(deviceType: "wlan", isWireless: true), .other),
      ("dummy", 1, DeviceFacts(deviceType: "wlan"), .other),
      ("veth", 519, nil, .wiredEthernet),
      (nil, 519, DeviceFacts(deviceType: "wlan"), .wifi),
      (nil, 1, DeviceFacts(deviceType: "wlan", driver: "cdc_ether"), .wifi),
      (nil, 1, DeviceFacts(deviceType: "wwan", driver: "cdc_ether"), .cellular),
      (nil, 1, DeviceFacts(deviceType: "bluetooth", driver: "cdc_mbim"), .cellular),
      ("newkind", 1, DeviceFacts(driver: "cdc_ether"), .other),
      ("newkind", 1, DeviceFacts(isWireless: true), .wifi),
      ("newkind", 32, nil, .other),
    ] as [(String?, UInt16, DeviceFacts?, InterfaceType)])
  func `the first row that fits decides`(
    kind: String?, hardwareType: UInt16, device: DeviceFacts?, type: InterfaceType
  ) {
    #expect(
      Self.classify(
        "x0", kind: kind,
        hardwareType: hardwareType, device: device
      ).type == type)
  }

  // MARK: Roles

  /// The role of a link with these facts.
  private static func role(
    kind: String? = nil, _ hardwareType: UInt16 = HardwareType.ethernet, device: DeviceFacts? = nil,
    flags: LinkFlags = [], parent: Int32? = nil
  ) -> LinkRole {
    var link = LinkFacts.up(2, "x0", kind: kind, hardwareType: hardwareType, parent: parent)
    link.device = device
    link.flags.formUnion(flags)
    return link.role
  }

  private static let virtual = DeviceFacts(isVirtual: true)

  @Test func `hardware leads out, and so does a device without a kind where sysfs cannot be read`() {
    #expect(Self.role() == .uplink)
    #expect(Self.role(device: DeviceFacts(driver: "virtio_net")) == .uplink)
    #expect(Self.role(HardwareType.none, device: DeviceFacts(deviceType: "wwan")) == .uplink)
    #expect(Self.role(kind: "unheard-of", device: DeviceFacts(driver: "mlx5_core")) == .uplink)
  }

  @Test func `a device of an unknown driver without hardware is a tunnel if it is point to point, and else inward`() {
    #expect(Self.role(device: Self.virtual) == .inward, "the network of a hypervisor")
    #expect(Self.role(device: Self.virtual, flags: .pointToPoint) == .tunnel)
    #expect(Self.role(HardwareType.none, device: Self.virtual) == .tunnel)
    #expect(Self.role(device: DeviceFacts(deviceType: "l2tpeth", isVirtual: true)) == .tunnel)
    #expect(Self.role(kind: "unheard-of", device: Self.virtual) == .inward)
    #expect(Self.role(kind: "unheard-of", HardwareType.none, device: Self.virtual, flags: .pointToPoint) == .tunnel)
    #expect(Self.role(kind: "unheard-of", device: Self.virtual, parent: 3) == .stacked)
  }

  @Test("a bus or a radio that carries no IP packets is no uplink", arguments: [280, 804, 805, 820] as [UInt16])
  func withoutIP(hardwareType: UInt16) {
    #expect(Self.role(hardwareType) == .withoutIP)
    #expect(Self.role(kind: "vxcan", hardwareType) == .withoutIP)
  }

  @Test func `sysfs is read only where the kind does not decide`() {
    #expect(LinkFacts.up(2, "eth0").needsDevice)
    #expect(LinkFacts.up(2, "lan1", kind: "dsa").needsDevice)
    #expect(!LinkFacts.up(2, "wg0", kind: "wireguard").needsDevice)
  }
}

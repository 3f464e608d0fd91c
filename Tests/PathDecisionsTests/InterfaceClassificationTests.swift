import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The links are as real kernels described them.
@Suite("Interface classification")
struct InterfaceClassificationTests {
  private static func link(
    _ name: String = "x0", _ kind: String? = nil, _ hardwareType: UInt16 = HardwareType.ethernet,
    _ device: DeviceFacts? = nil
  ) -> LinkFacts {
    var link = LinkFacts.up(2, name, kind: kind, hardwareType: hardwareType)
    link.device = device
    return link
  }

  /// A link without a kind whose device is known.
  private static func device(
    _ name: String, _ type: String? = nil, _ driver: String? = nil, _ hardwareType: UInt16 = HardwareType.ethernet
  ) -> LinkFacts {
    link(name, nil, hardwareType, DeviceFacts(deviceType: type, driver: driver))
  }

  private static let modemDrivers = [
    "qmi_wwan", "cdc_mbim", "huawei_cdc_ncm", "sierra_net", "hso", "cdc-phonet", "mhi_net", "iosm", "mtk_t7xx", "ipa",
  ]
  private static let adapterDrivers = ["ipheth", "rndis_host", "cdc_ether", "cdc_ncm", "cdc_eem"]

  private static let links: [(InterfaceType, [LinkFacts])] = [
    (.loopback, [link("lo", nil, 772), link("lo", nil, 772, DeviceFacts(deviceType: "wlan"))]),
    // PPP and a routing domain may be tunnels or lines of their own.
    (.other, [link("ppp0", "ppp", 512), link("vrf-red", "vrf")]),
    // The kind of a modem's channel decides, though its hardware type is that of a tunnel.
    (.cellular, [link("wwan0-2", "wwan", 65_534, DeviceFacts(deviceType: "wwan")), link("qmapmux0.0", "rmnet", 519)]),
    (.cellular, [link("x0", "wwan", 1, DeviceFacts(deviceType: "wlan"))]),
    (.other, ["dummy", "ifb", "nlmon", "vcan"].map { link("x0", $0, 1, DeviceFacts(deviceType: "wlan")) }),
    // One end of a pair.
    (.wiredEthernet, [link("eth0", "veth"), link("eth0", "netkit"), link("wlan0", "veth"), link("x0", "veth", 519)]),
    // A wireless card is known by its device type or the wireless subsystem's entries, a monitor by its frames.
    (.wifi, [link("eth1", nil, 1, DeviceFacts(isWireless: true, driver: "8188eu")), device("eth1", "wlan")]),
    (.wifi, [link("x0", nil, 519, DeviceFacts(deviceType: "wlan")), device("x0", "wlan", "cdc_ether")]),
    (.wifi, [801, 802, 803].map { device("hwsim0", nil, nil, $0) }),
    (.wifi, [link("x0", "newkind", 1, DeviceFacts(isWireless: true))]),
    // A modem is known by its device type, a raw IP hardware type, its name or its driver.
    (.cellular, [device("wwp0s20u4", "wwan", "qmi_wwan", 65_534), device("x0", "wwan", "cdc_ether")]),
    (.cellular, [519, 530, 821].map { link("x0", nil, $0) }),
    (.cellular, ["rmnet_data0", "rev_rmnet0", "ccmni0", "wwan0", "qmimux0"].map { device($0) }),
    (.cellular, [link("rmnet0", nil, 65_534), link("rmnet0", nil, 65_534, DeviceFacts(isVirtual: true))]),
    (.cellular, modemDrivers.map { device("usb0", nil, $0) } + [device("x0", "bluetooth", "cdc_mbim")]),
    (.wiredEthernet, adapterDrivers.flatMap { [device("enx0", nil, $0), device("usb0", "gadget", $0)] }),
    (.other, [device("bnep0", "bluetooth"), device("bt0", "bluetooth", nil, 825)]),
    // A gadget, a port of a switch, InfiniBand, a channel to another machine.
    (.wiredEthernet, [device("usb0", "gadget"), link("lan1", "dsa", 1, DeviceFacts(deviceType: "dsa"))]),
    (.wiredEthernet, [device("ib0", nil, nil, 32), device("ctc0", nil, nil, 256)]),
    // Ethernet frames and nothing special. Without sysfs a name with wl is Wi-Fi.
    (.wiredEthernet, [device("eth0", nil, "virtio_net"), device("eth0"), link("enp3s0"), device("wlp3s0")]),
    (.wifi, [link("wlp3s0")]),
    // An unknown device is no Ethernet.
    (.other, [link("x0", "newkind"), link("x0", "newkind", 32), link("x0", nil, 4_242), device("x0", "newtype")]),
    (.other, [link("x0", "newkind", 1, DeviceFacts(driver: "cdc_ether"))]),
  ]

  @Test(arguments: links)
  func `the first row of the table that fits decides the type`(type: InterfaceType, links: [LinkFacts]) {
    for link in links {
      let found = InterfaceClassification.classify(link)
      #expect(found.type == type && !found.isTunnel && !found.inherits, "\(link)")
    }
  }

  @Test(arguments: [
    ("tun", 65_534), ("tun", 1), ("wireguard", 65_534), ("gre", 778), ("gretap", 1), ("ipip", 768), ("sit", 776),
    ("ip6tnl", 769), ("ip6gre", 823), ("vti", 768), ("vti6", 769), ("xfrm", 65_534), ("vxlan", 1), ("geneve", 1),
    ("l2tpeth", 1), ("bareudp", 65_534), ("erspan", 1), ("ovpn", 65_534), ("amneziawg", 65_534), ("ovpn-dco", 65_534),
    ("unheard-of", 65_534),
  ])
  func `a tunnel is other, and rests on another interface`(kind: String, hardwareType: UInt16) {
    for device in [nil, DeviceFacts(deviceType: "wlan", isWireless: true)] where device == nil || kind == "tun" {
      let tunnel = InterfaceClassification.classify(Self.link("wlan0", kind, hardwareType, device))
      #expect(tunnel.type == .other && tunnel.isTunnel && !tunnel.inherits)
    }
  }

  @Test(arguments: ["bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "macsec", "hsr", "failover"])
  func `a stacked device has the type of the link below`(kind: String) {
    let device = InterfaceClassification.classify(Self.link("x0", kind, 1, DeviceFacts(deviceType: kind)))
    #expect(device.inherits && !device.isTunnel)
  }

  /// The link with these flags upon that of the index.
  private static func with(_ flags: LinkFlags, parent: Int32? = nil, _ link: LinkFacts) -> LinkFacts {
    var link = link
    link.flags.formUnion(flags)
    link.parentIndex = parent
    return link
  }

  private static let virtual = DeviceFacts(isVirtual: true)

  private static let roles: [(LinkRole, [LinkFacts])] = [
    // Known by the flag or the hardware type, not by the name.
    (.loopback, [with(.loopback, link()), link("x0", nil, HardwareType.loopback)]),
    // Hardware, and a device without a kind where sysfs cannot be read.
    (.uplink, [link("lo"), device("x0", nil, "virtio_net"), device("x0", "wwan", nil, HardwareType.none)]),
    (.uplink, [link("x0", "unheard-of", 1, DeviceFacts(driver: "mlx5_core"))]),
    // A device of an unknown driver without hardware is a tunnel if it is point to point, and else the network of a
    // hypervisor.
    (.inward, [link("x0", nil, 1, virtual), link("x0", "unheard-of", 1, virtual)]),
    (.tunnel, [with(.pointToPoint, link("x0", nil, 1, virtual)), link("x0", nil, HardwareType.none, virtual)]),
    (.tunnel, [link("x0", nil, 1, DeviceFacts(deviceType: "l2tpeth", isVirtual: true))]),
    (.tunnel, [with(.pointToPoint, link("x0", "unheard-of", HardwareType.none, virtual))]),
    (.stacked, [with([], parent: 3, link("x0", "unheard-of", 1, virtual))]),
    (.sink, ["dummy", "ifb", "nlmon", "vcan"].map { link("x0", $0) }), (.uplink, [link("dummy0")]),
    (.inward, [link("dummy0", "dummy2", 1, virtual)]),
    // A bus or a radio that carries no IP packets.
    (.withoutIP, [280, 804, 805, 820].flatMap { [link("x0", nil, $0), link("x0", "vxcan", $0)] }),
  ]

  @Test(arguments: roles)
  func `the kind, the hardware and the flags give the role`(role: LinkRole, links: [LinkFacts]) {
    for link in links { #expect(link.role == role, "\(link)") }
  }

  @Test func `sysfs is read only where the kind does not decide`() {
    #expect(Self.link("eth0").needsDevice && Self.link("lan1", "dsa").needsDevice)
    #expect(!Self.link("wg0", "wireguard").needsDevice)
  }
}

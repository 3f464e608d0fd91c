package import PathModel

/// One link, as the kernel reports it.
package struct LinkFacts: Hashable, Sendable {
  /// The interface index. Everything else refers to it, because names change.
  package var index: Int32
  /// The name. Source: `IFLA_IFNAME`.
  package var name: String {
    get { exactName.text }
    set { exactName = newValue.exact }
  }
  /// The name, for comparisons.
  package var exactName: ExactText
  /// The alternative names, set with `ip link property add dev NAME altname OTHER`. Source: `IFLA_ALT_IFNAME`.
  package var alternativeNames: [String] {
    get { exactAlternativeNames.map(\.text) }
    set { exactAlternativeNames = newValue.map(\.exact) }
  }
  /// The alternative names, for comparisons.
  package var exactAlternativeNames: [ExactText]
  /// The device flags. Source: `ifi_flags`.
  package var flags: LinkFlags
  /// The state of RFC 2863. Source: `IFLA_OPERSTATE`.
  package var operationalState: OperationalState
  /// Whether the link has a carrier. Source: `IFLA_CARRIER`; `nil` when the kernel did not send it.
  package var hasCarrier: Bool?
  /// How often the carrier has gone or come. Of a loss that is shorter than the kernel's look at the carrier, this
  /// alone is left.
  package var carrierChanges: UInt32 = 0
  /// The ARP protocol hardware identifier, `ARPHRD_…`. Source: `ifi_type`.
  package var hardwareType: UInt16
  /// The kind of a virtual device, such as `bridge`. Source: `IFLA_INFO_KIND`; `nil` for real ones.
  package var kind: String? {
    didSet { kindRole = LinkRole(ofKind: kind) }
  }
  /// The role that follows from the kind; `nil` if other facts decide. It is derived once for each message about the
  /// link, as evaluations read it again and again.
  package private(set) var kindRole: LinkRole?
  /// The facts about the device behind the link. Source: sysfs; `nil` when it cannot be read or shows another device,
  /// and for links whose kind decides.
  package var device: DeviceFacts?
  /// The largest packet in bytes. Source: `IFLA_MTU`.
  package var mtu: UInt32?
  /// The link-layer address; empty when there is none. Source: `IFLA_ADDRESS`.
  package var hardwareAddress: [UInt8]
  /// The index of the link below this one (VLAN, macvlan, tunnels, PPPoE) or of a veth's peer.
  /// Source: `IFLA_LINK`, for vxlan `IFLA_VXLAN_LINK`, for PPP `/proc/net/pppoe`; `nil` when none or in another network
  /// namespace.
  package var parentIndex: Int32?
  /// The index of the bridge, bond, team or routing domain that this link is a port of. Source: `IFLA_MASTER`.
  package var masterIndex: Int32?
  /// The VLAN whose frames the link sends. Source: `IFLA_VLAN_ID`; `nil` for links of other kinds.
  package var vlan: UInt16?
  /// The VLANs of a bridge that filters them, or of its port; `nil` without a filter, and where none is known.
  /// Source: `IFLA_BRIDGE_VLAN_INFO`.
  package var vlanFilter: VLANFilter?
  /// Whether a bridge filters VLANs. Source: `IFLA_BR_VLAN_FILTERING`.
  package var filtersVLANs = false
  /// Whether MACsec has no key to send with, so that it discards all packets. Source: `MACSEC_ATTR_TXSA_LIST`.
  package var lacksKey = false
  /// The conditions under which a bond or team has a carrier; `nil` for other links.
  package var aggregation: Aggregation?
  /// Whether spanning tree keeps the bridge from forwarding at this port: it listens, learns or blocks there. Source:
  /// `IFLA_BRPORT_STATE`.
  package var isBlockedPort = false
  /// The port that carries an active-backup bond's traffic. Source: `IFLA_BOND_ACTIVE_SLAVE`.
  package var activePortIndex: Int32?
  /// The server of a tunnel, to which it sends its own packets. Source: `IFLA_GRE_REMOTE` and its like; `nil` for other
  /// links, for tunnels whose server the kernel shows to root alone, and for those made in another network namespace.
  package var serverAddress: IPAddress?
  /// The source address of a tunnel's own packets. Source: `IFLA_GRE_LOCAL` and its like; `nil` if the kernel chooses.
  package var tunnelSource: IPAddress?
  /// The mark of a tunnel's own packets. Source: `IFLA_GRE_FWMARK` and its like; `nil` for none.
  package var tunnelMark: UInt32?
  /// Whether the link passes on the packets of other hosts (`net.ipv4.conf.NAME.forwarding`). Source: `IFLA_AF_SPEC`,
  /// and `NETCONFA_FORWARDING` after changes.
  package var forwards: Bool

  /// A link of the given identity; everything that is left out is absent.
  package init(
    index: Int32, name: String, alternativeNames: [String] = [], flags: LinkFlags = [],
    operationalState: OperationalState = .unknown, hasCarrier: Bool? = nil,
    hardwareType: UInt16 = HardwareType.ethernet, kind: String? = nil, mtu: UInt32? = nil,
    hardwareAddress: [UInt8] = [], parentIndex: Int32? = nil, masterIndex: Int32? = nil,
    activePortIndex: Int32? = nil, serverAddress: IPAddress? = nil, forwards: Bool = false
  ) {
    self.index = index
    exactName = name.exact
    exactAlternativeNames = alternativeNames.map(\.exact)
    self.flags = flags
    self.operationalState = operationalState
    self.hasCarrier = hasCarrier
    self.hardwareType = hardwareType
    self.kind = kind
    kindRole = LinkRole(ofKind: kind)
    self.mtu = mtu
    self.hardwareAddress = hardwareAddress
    self.parentIndex = parentIndex
    self.masterIndex = masterIndex
    self.activePortIndex = activePortIndex
    self.serverAddress = serverAddress
    self.forwards = forwards
  }
}

/// The VLANs that a bridge passes to one of its ports, or to the machine.
package struct VLANFilter: Hashable, Sendable {
  /// The VLANs, in ranges.
  package var ranges: [ClosedRange<UInt16>]
  /// The VLAN of frames without a tag; `nil` if there is none, so that they are discarded.
  package var own: UInt16?

  /// A filter.
  package init(_ ranges: [ClosedRange<UInt16>] = [], own: UInt16? = nil) { (self.ranges, self.own) = (ranges, own) }

  /// Whether it passes frames of a VLAN.
  package func contains(_ vlan: UInt16) -> Bool { ranges.contains { $0.contains(vlan) } }
}

/// The conditions under which a bond has a carrier. Source: `IFLA_BOND_…`.
package struct Aggregation: Hashable, Sendable {
  /// The hosts of which one has to answer by ARP. Source: `IFLA_BOND_ARP_IP_TARGET`; empty without such a condition.
  package var targets: [IPAddress] = []
  /// The ports that have to be in use. Source: `IFLA_BOND_MIN_LINKS`.
  package var leastPorts: UInt32 = 0
  /// Whether LACP decides on the ports: another switch has to take part in it. Source: `IFLA_BOND_MODE`.
  package var usesLACP = false

  /// No condition.
  package init() {}
}

/// The device flags that matter here (netdevice(7), `linux/if.h`).
package struct LinkFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `IFF_UP`: the administrator wants it up.
  package static let up = LinkFlags(rawValue: 0x1)
  /// `IFF_LOOPBACK`.
  package static let loopback = LinkFlags(rawValue: 0x8)
  /// `IFF_POINTOPOINT`: there is no router on it, only a peer.
  package static let pointToPoint = LinkFlags(rawValue: 0x10)
  /// `IFF_RUNNING`; lags behind the carrier, so nothing is decided by it.
  package static let running = LinkFlags(rawValue: 0x40)
  /// `IFF_LOWER_UP`: the driver signals a carrier.
  package static let lowerUp = LinkFlags(rawValue: 0x10000)
}

/// The operational state of RFC 2863, `IF_OPER_…` in `linux/if.h`.
package struct OperationalState: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The driver does not maintain the state. The link is taken to be usable.
  package static let unknown = OperationalState(rawValue: 0)
  /// A component is missing.
  package static let notPresent = OperationalState(rawValue: 1)
  /// It cannot pass packets.
  package static let down = OperationalState(rawValue: 2)
  /// A link below it is down.
  package static let lowerLayerDown = OperationalState(rawValue: 3)
  /// It is in test mode.
  package static let testing = OperationalState(rawValue: 4)
  /// It waits for an external event, such as authentication.
  package static let dormant = OperationalState(rawValue: 5)
  /// It can pass packets.
  package static let up = OperationalState(rawValue: 6)

  /// The name as `ip link` prints it.
  package var name: String {
    let names = ["UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP"]
    return Int(rawValue) < names.count ? names[Int(rawValue)] : "\(rawValue)"
  }
}

/// The hardware identifiers that decide a classification, `ARPHRD_…` in `linux/if_arp.h`.
package enum HardwareType {
  /// `ARPHRD_ETHER`.
  package static let ethernet: UInt16 = 1
  /// `ARPHRD_INFINIBAND`.
  package static let infiniband: UInt16 = 32
  /// `ARPHRD_SLIP`, which s390's channel-to-channel devices use.
  package static let slip: UInt16 = 256
  /// `ARPHRD_PPP`.
  package static let ppp: UInt16 = 512
  /// `ARPHRD_RAWIP`.
  package static let rawIP: UInt16 = 519
  /// The number that drivers outside the kernel's tree used for raw IP before there was `ARPHRD_RAWIP`.
  package static let oldRawIP: UInt16 = 530
  /// `ARPHRD_LOOPBACK`.
  package static let loopback: UInt16 = 772
  /// `ARPHRD_IEEE80211`, `…_PRISM` and `…_RADIOTAP`: monitor interfaces.
  package static let wirelessMonitor: ClosedRange<UInt16> = 801...803
  /// `ARPHRD_PHONET_PIPE`, a connection of a modem.
  package static let phonetPipe: UInt16 = 821
  /// The links that carry no IP packets: `ARPHRD_CAN`, `ARPHRD_MCTP`, `ARPHRD_IEEE802154`, its monitors, and
  /// `ARPHRD_PHONET`.
  package static let withoutIP: [UInt16] = [280, 290, 804, 805, 820]
  /// The links without hardware addresses that tunnels have: `ARPHRD_TUNNEL`, `…_TUNNEL6`, `…_SIT`, `…_IPGRE`,
  /// `…_IP6GRE` and `…_NONE`.
  package static let tunnels: [UInt16] = plainTunnels + [none]
  /// Those of them that encrypt nothing.
  package static let plainTunnels: [UInt16] = [768, 769, 776, 778, 823]
  /// `ARPHRD_NONE`: raw IP without a link layer (tun, wireguard, modems).
  package static let none: UInt16 = 0xfffe
}

extension LinkFacts {
  /// The obstacle that keeps the link from carrying packets; `nil` when there is none.
  ///
  /// A link is usable when it is up, has a carrier, and its operational state is UP or, where the driver does not
  /// maintain it, UNKNOWN (Documentation/networking/operstates.rst). `IFF_RUNNING` is ignored: some drivers set it
  /// early and others late.
  package var obstacle: LinkObstacle? {
    if !flags.contains(.up) { return .administrativelyDown }
    if operationalState == .dormant || lacksKey { return .dormant }
    if !flags.contains(.lowerUp) && hasCarrier != true { return .noCarrier }
    if operationalState != .up && operationalState != .unknown { return .noCarrier }
    return isBlockedPort ? .blocked : nil
  }

  /// The link-layer address as colon-separated hexadecimal bytes; `nil` when there is none.
  package var hardwareAddressText: String? {
    guard !hardwareAddress.isEmpty else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(hardwareAddress.count * 3)
    for byte in hardwareAddress {
      if !text.isEmpty { text.append(UInt8(ascii: ":")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether this is the loopback device.
  package var isLoopback: Bool { flags.contains(.loopback) || hardwareType == HardwareType.loopback }

  /// Whether a program has the other end and exchanges Ethernet frames with it (`tuntap`, mode `tap`).
  package var isTap: Bool { kind == "tun" && hardwareType == HardwareType.ethernet }

  /// Whether this is a PPP link. ``parentIndex`` is then the device of its PPPoE session, if that is known.
  package var isPPP: Bool { kind == "ppp" || hardwareType == HardwareType.ppp }

  /// Whether this stands for a routing domain of its own (`vrf`), whose ports carry the packets.
  package var isRoutingDomain: Bool { kindRole == .routingDomain }

  /// Whether this is a PPP connection over a line that is known, as PPPoE is.
  package var isLine: Bool {
    isPPP && parentIndex != nil
  }

  /// Whether the link rests on another one that is not visible, in another network namespace.
  package var hasLostParent: Bool {
    switch kind {
    case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec": parentIndex == nil
    default: false
    }
  }

  /// Whether the device discards all packets, such as the one of a VPN's kill switch, or only listens.
  package var isSink: Bool { role == .sink }

  /// Whether the link is one end of a pair, whose other end is mostly in another network namespace.
  package var isPair: Bool { kindRole == .pair }
}

/// An obstacle that keeps a link from carrying packets.
package enum LinkObstacle: Hashable, Sendable {
  /// `ip link set … down`.
  case administrativelyDown
  /// No carrier, or a state that amounts to it.
  case noCarrier
  /// Waiting for authentication.
  case dormant
  /// A port at which its bridge does not forward, because of spanning tree.
  case blocked
}

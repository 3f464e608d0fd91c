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
  /// The ARP protocol hardware identifier, `ARPHRD_…`. Source: `ifi_type`.
  package var hardwareType: UInt16
  /// The kind of a virtual device, such as `bridge`. Source: `IFLA_INFO_KIND`; `nil` for real ones.
  package var kind: String? {
    didSet { kindTraits = LinkKindTraits(of: kind) }
  }
  /// The properties that follow from the kind.
  package private(set) var kindTraits: LinkKindTraits
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
    kindTraits = LinkKindTraits(of: kind)
    self.mtu = mtu
    self.hardwareAddress = hardwareAddress
    self.parentIndex = parentIndex
    self.masterIndex = masterIndex
    self.activePortIndex = activePortIndex
    self.serverAddress = serverAddress
    self.forwards = forwards
  }
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
  /// `ARPHRD_PHONET` and `ARPHRD_PHONET_PIPE`.
  package static let phonet: ClosedRange<UInt16> = 820...821
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
    if operationalState == .dormant { return .dormant }
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
  package var isRoutingDomain: Bool { kind == "vrf" }

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
  package var isSink: Bool {
    kindTraits.contains(.sink) || HardwareType.wirelessMonitor.contains(hardwareType)
  }
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

/// The part that a link can play in a path. One table decides, by the facts about the link alone: its hardware type,
/// its kind, and the device behind it. ``CarrierWalk`` adds what follows from the links above and below.
///
/// Only some links lead to the Internet by themselves. The table names them, and everything unknown is something else.
package enum LinkRole: Hashable, Sendable {
  /// This machine itself.
  case loopback
  /// Hardware, a channel of it, or a PPP connection: it may lead to the Internet by itself.
  case uplink
  /// One end of a cable between network namespaces: the uplink of a container, or the host's end of that.
  case pair
  /// A device that passes on the frames of the links below it.
  case stacked
  /// A routing domain of its own (`vrf`), whose ports carry the packets.
  case routingDomain
  /// A device whose packets travel within those of another link.
  case tunnel
  /// A network of this machine's own, such as that of a hypervisor.
  case inward
  /// A device that discards what is sent to it, or only listens.
  case sink
  /// A bus or a radio that carries no IP packets.
  case withoutIP

  /// The role of all links of a kind, such as `bridge`; `nil` for an unknown one, and for the `nil` of real devices.
  init?(ofKind kind: String?) {
    switch kind {
    case nil: return nil
    case "wwan", "rmnet", "ppp": self = .uplink
    case "veth", "netkit": self = .pair
    case "bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec", "hsr", "failover",
      "openvswitch", "batadv", "ipoib", "lowpan":
      self = .stacked
    case "vrf": self = .routingDomain
    case "dummy", "ifb", "nlmon", "vcan": self = .sink
    case "tun", "wireguard", "amneziawg", "ovpn", "ovpn-dco", "ipip", "sit", "ip6tnl", "ip6gre", "ip6gretap", "erspan",
      "ip6erspan", "xfrm", "vxlan", "geneve", "bareudp", "gtp", "amt":
      self = .tunnel
    case let other?:
      guard ["gre", "vti", "l2tp"].contains(where: other.hasPrefix) else { return nil }
      self = .tunnel
    }
  }
}

extension LinkFacts {
  /// The part that the link can play in a path.
  package var role: LinkRole {
    if isLoopback { return .loopback }
    if let kindRole { return kindRole }
    if HardwareType.wirelessMonitor.contains(hardwareType) { return .sink }
    if HardwareType.withoutIP.contains(hardwareType) { return .withoutIP }
    if kind == nil, device?.deviceType == "l2tpeth" { return .tunnel }
    if kind != nil, parentIndex != nil { return .stacked }
    // Without sysfs, a device without a kind is taken for hardware.
    if device.map({ !$0.isVirtual }) ?? (kind == nil) || hasNameOfModem { return .uplink }
    // The device of a driver that Linux does not have, without hardware. It is a tunnel if it has no other hosts on its
    // link, as those of VPNs do, and else the network of a hypervisor or the like.
    return flags.contains(.pointToPoint) || HardwareType.tunnels.contains(hardwareType) ? .tunnel : .inward
  }

  /// Whether sysfs tells more about the role and the type than the kind does.
  package var needsDevice: Bool { kindRole == nil && !isLoopback }

  /// Whether the name is one that drivers give the channels of modems, which have neither a kind nor a device type.
  var hasNameOfModem: Bool {
    kind == nil && ["rmnet", "rev_rmnet", "ccmni", "wwan", "qmimux"].contains { name.hasPrefix($0) }
  }
}

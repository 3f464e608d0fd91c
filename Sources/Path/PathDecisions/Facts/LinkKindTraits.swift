/// The properties of a link that follow from its kind alone. They are derived once for each message about the link, as
/// evaluations read them again and again.
package struct LinkKindTraits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A channel of a modem.
  package static let modemChannel = LinkKindTraits(rawValue: 1)
  /// A device that discards what is sent to it.
  package static let sink = LinkKindTraits(rawValue: 2)
  /// A device that passes on the frames of the links below it.
  package static let stacked = LinkKindTraits(rawValue: 4)
  /// One end of a cable between network namespaces.
  package static let pair = LinkKindTraits(rawValue: 8)
  /// PPP or a routing domain.
  package static let pppOrRoutingDomain = LinkKindTraits(rawValue: 16)
  /// A tunnel.
  package static let tunnel = LinkKindTraits(rawValue: 32)

  /// The properties of a kind, such as `bridge`; none for the `nil` of real devices.
  package init(of kind: String?) {
    switch kind {
    case nil: self = []
    case "wwan", "rmnet": self = .modemChannel
    case "dummy", "ifb", "nlmon", "vcan": self = .sink
    case "bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec", "hsr", "failover",
      "openvswitch", "batadv", "ipoib":
      self = .stacked
    case "veth", "netkit": self = .pair
    case "ppp", "vrf": self = .pppOrRoutingDomain
    case "tun", "wireguard", "ovpn", "ipip", "sit", "ip6tnl", "ip6gre", "ip6gretap", "erspan", "ip6erspan", "xfrm",
      "vxlan", "geneve", "bareudp", "gtp", "amt":
      self = .tunnel
    case let other?: self = ["gre", "vti", "l2tp"].contains { other.hasPrefix($0) } ? .tunnel : []
    }
  }
}

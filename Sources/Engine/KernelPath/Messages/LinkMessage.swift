internal import CNetlink
package import PathDecisions
internal import PathModel

/// An `RTM_NEWLINK` or `RTM_DELLINK` message: `struct ifinfomsg` and its attributes.
package struct LinkMessage: Hashable, Sendable {
  /// `AF_UNSPEC` for the link itself; other families report something about it, such as a bridge's port.
  package var family: UInt8
  /// The facts in the message. If it is not ``isComplete``, only index, name and flags are meaningful; in one of a
  /// bridge's family, index and state of the port.
  package var facts: LinkFacts
  /// Whether the message describes the whole link. Wireless events carry only a name and their own data, even while the
  /// state changes. The facts that they leave out are unchanged, not gone.
  package var isComplete: Bool
  /// Whether a wireless driver only talks to its supplicant, while the link is unchanged.
  package var isWirelessChatter: Bool

  /// Decodes the payload of a message.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/if_link.h`.
  package init(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("ifinfomsg", 16)
    family = header[0]
    var link = LinkFacts(
      index: header.int32(at: 4), name: "", flags: LinkFlags(rawValue: header.uint32(at: 8)),
      hardwareType: header.uint16(at: 2))
    let change = header.uint32(at: 12)
    var (hasState, isWireless, parentIsElsewhere) = (false, false, false)
    var attributes = message.attributes(of: "ifinfomsg", after: 16)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case IFLA_IFNAME: link.name = attribute.value.text
      case IFLA_ADDRESS: link.hardwareAddress = attribute.value.array
      case IFLA_MTU: link.mtu = try attribute.uint32("IFLA_MTU")
      case IFLA_LINK: link.parentIndex = try attribute.index("IFLA_LINK")
      case IFLA_MASTER: link.masterIndex = try attribute.index("IFLA_MASTER")
      case IFLA_WIRELESS: isWireless = true
      case IFLA_LINK_NETNSID: parentIsElsewhere = true
      case IFLA_CARRIER: link.hasCarrier = try attribute.uint8("IFLA_CARRIER") != 0
      case IFLA_CARRIER_CHANGES: link.carrierChanges = try attribute.uint32("IFLA_CARRIER_CHANGES")
      case IFLA_OPERSTATE:
        link.operationalState = OperationalState(rawValue: try attribute.uint8("IFLA_OPERSTATE"))
        hasState = true
      case IFLA_PROP_LIST:
        var properties = attribute.attributes(of: "IFLA_PROP_LIST")
        while let property = try properties.next() {
          if property.type == IFLA_ALT_IFNAME { link.alternativeNames.append(property.value.text) }
        }
      case IFLA_AF_SPEC: link.forwards = try Self.forwards(attribute)
      case IFLA_LINKINFO: try Self.decodeInformation(attribute, into: &link)
      case IFLA_PROTINFO where family == AF_BRIDGE:
        link.isBlockedPort = try Self.isBlockedPort(attribute, of: "IFLA_PROTINFO")
      default: break
      }
    }
    // The parent of an IPsec interface serves offloading alone. Its packets leave by the routes to the other end
    // (xfrmi_xmit2 in Linux's net/xfrm/xfrm_interface_core.c).
    if link.kind == "xfrm" { link.parentIndex = nil }
    // The packets of a tunnel that was made in another network namespace leave there.
    if parentIsElsewhere {
      (link.parentIndex, link.serverAddress, link.tunnelSource, link.tunnelMark) = (nil, nil, nil, nil)
    }
    facts = link
    isComplete = hasState
    isWirelessChatter = isWireless && change == 0
  }

  /// Decodes `IFLA_AF_SPEC`: whether the link passes on the packets of other hosts. The settings of IPv4 are an array
  /// of numbers, of which the first is `forwarding` (`linux/ip.h`).
  private static func forwards(_ attribute: NetlinkAttribute) throws(NetlinkDecodingError) -> Bool {
    var forwards = false
    var families = attribute.attributes(of: "IFLA_AF_SPEC")
    while let family = try families.next() {
      guard family.type == AF_INET else { continue }
      var settings = family.attributes(of: "AF_INET")
      while let setting = try settings.next() {
        guard setting.type == IFLA_INET_CONF, setting.value.count >= 4 else { continue }
        forwards = setting.value.uint32(at: 0) != 0
      }
    }
    return forwards
  }

  /// Whether spanning tree blocks the port of a bridge, which has these attributes. The ports of a bridge that is down
  /// are disabled, which is no fault of theirs.
  private static func isBlockedPort(
    _ attribute: NetlinkAttribute, of structure: String
  ) throws(NetlinkDecodingError) -> Bool {
    var attributes = attribute.attributes(of: structure)
    while let attribute = try attributes.next() {
      if attribute.type == IFLA_BRPORT_STATE {
        let state = try attribute.uint8("IFLA_BRPORT_STATE")
        return state != BR_STATE_FORWARDING && state != BR_STATE_DISABLED
      }
    }
    return false
  }

  /// Decodes `IFLA_LINKINFO`: the kind, the link below a bond or a VXLAN, the server of a tunnel, and the state of a
  /// bridge's port.
  private static func decodeInformation(
    _ information: NetlinkAttribute, into link: inout LinkFacts
  ) throws(NetlinkDecodingError) {
    // The kinds come first, but nothing promises it.
    var portKind: String?
    var parts = information.attributes(of: "IFLA_LINKINFO")
    while let part = try parts.next() {
      switch part.type {
      case IFLA_INFO_KIND: link.kind = part.value.text
      case IFLA_INFO_SLAVE_KIND: portKind = part.value.text
      default: break
      }
    }
    var others = information.attributes(of: "IFLA_LINKINFO")
    while let part = try others.next() {
      switch part.type {
      case IFLA_INFO_DATA: if let kind = link.kind { try decodeData(part, of: kind, into: &link) }
      case IFLA_INFO_SLAVE_DATA where portKind == "bridge":
        link.isBlockedPort = try isBlockedPort(part, of: "IFLA_INFO_SLAVE_DATA")
      default: break
      }
    }
  }

  /// Decodes `IFLA_INFO_DATA`, whose attributes depend on the kind.
  private static func decodeData(
    _ data: NetlinkAttribute, of kind: String, into link: inout LinkFacts
  ) throws(NetlinkDecodingError) {
    let tunnel = TunnelAttributes(of: kind)
    var attributes = data.attributes(of: "IFLA_INFO_DATA")
    while let attribute = try attributes.next() {
      if kind == "bond" {
        try decodeBond(attribute, into: &link)
      } else if kind == "vxlan" && attribute.type == IFLA_VXLAN_LINK {
        link.parentIndex = try attribute.index("IFLA_VXLAN_LINK") ?? link.parentIndex
      } else if kind == "bridge" && attribute.type == IFLA_BR_VLAN_FILTERING {
        link.filtersVLANs = try attribute.uint8("IFLA_BR_VLAN_FILTERING") != 0
      } else if kind == "vlan" && attribute.type == IFLA_VLAN_ID {
        try attribute.value.require(2, "IFLA_VLAN_ID")
        link.vlan = attribute.value.uint16(at: 0)
      } else if tunnel.servers.contains(Int(attribute.type)) {
        let server = try attribute.address("IFLA_INFO_DATA")
        link.serverAddress = server.isUnspecified ? nil : server
      } else if tunnel.sources.contains(Int(attribute.type)) {
        let source = try attribute.address("IFLA_INFO_DATA")
        link.tunnelSource = source.isUnspecified ? nil : source
      } else if Int(attribute.type) == tunnel.mark {
        let mark = try attribute.uint32("IFLA_INFO_DATA")
        link.tunnelMark = mark == 0 ? nil : mark
      }
    }
  }

  /// Decodes an attribute of a bond: its active port, and its conditions for a carrier.
  private static func decodeBond(
    _ attribute: NetlinkAttribute, into link: inout LinkFacts
  ) throws(NetlinkDecodingError) {
    var aggregation = link.aggregation ?? Aggregation()
    switch attribute.type {
    case IFLA_BOND_ACTIVE_SLAVE: link.activePortIndex = try attribute.index("IFLA_BOND_ACTIVE_SLAVE")
    case IFLA_BOND_MODE: aggregation.usesLACP = try attribute.uint8("IFLA_BOND_MODE") == 4
    case IFLA_BOND_MIN_LINKS: aggregation.leastPorts = try attribute.uint32("IFLA_BOND_MIN_LINKS")
    case IFLA_BOND_ARP_IP_TARGET:
      var targets = attribute.attributes(of: "IFLA_BOND_ARP_IP_TARGET")
      while let target = try targets.next() {
        aggregation.targets.append(try target.address("IFLA_BOND_ARP_IP_TARGET"))
      }
    default: return
    }
    link.aggregation = aggregation
  }

  /// The facts about the link after this message; `nil` when neither the message nor `known` describes the whole link.
  package func merged(onto known: LinkFacts?) -> LinkFacts? {
    if isComplete { return facts }
    guard var link = known else { return nil }
    if !facts.name.isEmpty { link.name = facts.name }
    link.flags = facts.flags
    return link
  }
}

/// The attributes of a tunnel of a kind that tell how its own packets leave.
private struct TunnelAttributes {
  /// Those with the server, for either family.
  var servers: [Int] = []
  /// Those with the source address, for either family.
  var sources: [Int] = []
  /// The one with the mark.
  var mark: Int?

  init(of kind: String) {
    switch kind {
    case "vxlan":
      (servers, sources) = ([IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6], [IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6])
    case "geneve": servers = [IFLA_GENEVE_REMOTE, IFLA_GENEVE_REMOTE6]
    case "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan":
      (servers, sources, mark) = ([IFLA_GRE_REMOTE], [IFLA_GRE_LOCAL], IFLA_GRE_FWMARK)
    case "ipip", "sit", "ip6tnl":
      (servers, sources, mark) = ([IFLA_IPTUN_REMOTE], [IFLA_IPTUN_LOCAL], IFLA_IPTUN_FWMARK)
    case "vti", "vti6": (servers, sources, mark) = ([IFLA_VTI_REMOTE], [IFLA_VTI_LOCAL], IFLA_VTI_FWMARK)
    default: break
    }
  }
}

extension NetlinkAttribute {
  /// The value as an interface index; `nil` for 0, which means none.
  fileprivate func index(_ name: String) throws(NetlinkDecodingError) -> Int32? {
    let index = try int32(name)
    return index == 0 ? nil : index
  }
}

package import PathDecisions
internal import PathModel

/// An `RTM_NEWLINK` or `RTM_DELLINK` message: `struct ifinfomsg` and its attributes.
package struct LinkMessage: Hashable, Sendable {
  /// `AF_UNSPEC` for the link itself; other families report something about it, such as a bridge's port.
  package var family: UInt8
  /// The facts in the message. If it is not ``isComplete``, only index, name and flags are meaningful.
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
  package init(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    let fixedLength = 16
    try message.require(fixedLength, "ifinfomsg")
    let start = message.payload.lowerBound
    family = datagram[start]
    var link = LinkFacts(
      index: Int32(bitPattern: datagram.uint32(at: start + 4)), name: "",
      flags: LinkFlags(rawValue: datagram.uint32(at: start + 8)), hardwareType: datagram.uint16(at: start + 2))
    let change = datagram.uint32(at: start + 12)
    var (hasState, isWireless, parentIsElsewhere) = (false, false, false)
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "ifinfomsg") {
      (attribute) throws(NetlinkDecodingError) in
      switch attribute.type {
      case LinkAttribute.name: link.name = datagram.text(at: attribute.value)
      case LinkAttribute.address: link.hardwareAddress = attribute.value.map { datagram[$0] }
      case LinkAttribute.mtu: link.mtu = try attribute.uint32(in: datagram, "IFLA_MTU")
      case LinkAttribute.parent: link.parentIndex = try attribute.index(in: datagram, "IFLA_LINK")
      case LinkAttribute.master: link.masterIndex = try attribute.index(in: datagram, "IFLA_MASTER")
      case LinkAttribute.wireless: isWireless = true
      case LinkAttribute.parentNamespace: parentIsElsewhere = true
      case LinkAttribute.carrier: link.hasCarrier = try attribute.uint8(in: datagram, "IFLA_CARRIER") != 0
      case LinkAttribute.operationalState:
        link.operationalState = OperationalState(rawValue: try attribute.uint8(in: datagram, "IFLA_OPERSTATE"))
        hasState = true
      case LinkAttribute.propertyList:
        try NetlinkAttribute.forEach(in: datagram, attribute.value, of: "IFLA_PROP_LIST") { property in
          guard property.type == LinkAttribute.alternativeName else { return }
          link.alternativeNames.append(datagram.text(at: property.value))
        }
      case LinkAttribute.families: link.forwards = try Self.forwards(attribute, in: datagram)
      case LinkAttribute.information: try Self.decodeInformation(attribute, in: datagram, into: &link)
      default: break
      }
    }
    // The packets of a tunnel that was made in another network namespace leave there.
    if parentIsElsewhere { (link.parentIndex, link.serverAddress) = (nil, nil) }
    facts = link
    isComplete = hasState
    isWirelessChatter = isWireless && change == 0
  }

  /// Decodes `IFLA_AF_SPEC`: whether the link passes on the packets of other hosts. The settings of IPv4 are an array
  /// of numbers, of which the first is `forwarding` (`linux/ip.h`).
  private static func forwards(
    _ families: NetlinkAttribute, in datagram: Span<UInt8>
  ) throws(NetlinkDecodingError) -> Bool {
    var forwards = false
    try NetlinkAttribute.forEach(in: datagram, families.value, of: "IFLA_AF_SPEC") {
      (family) throws(NetlinkDecodingError) in
      guard family.type == LinkSettings.ipv4 else { return }
      try NetlinkAttribute.forEach(in: datagram, family.value, of: "AF_INET") { settings in
        guard settings.type == LinkSettings.ipv4Values, settings.value.count >= 4 else { return }
        forwards = datagram.uint32(at: settings.value.lowerBound) != 0
      }
    }
    return forwards
  }

  /// Decodes `IFLA_LINKINFO`: the kind, the link below a bond or a VXLAN, and the server of a tunnel.
  private static func decodeInformation(
    _ information: NetlinkAttribute, in datagram: Span<UInt8>, into link: inout LinkFacts
  ) throws(NetlinkDecodingError) {
    var data: Range<Int>?
    var kind: String?
    try NetlinkAttribute.forEach(in: datagram, information.value, of: "IFLA_LINKINFO") { attribute in
      if attribute.type == LinkInformationAttribute.kind { kind = datagram.text(at: attribute.value) }
      if attribute.type == LinkInformationAttribute.data { data = attribute.value }
    }
    link.kind = kind
    guard let data, let kind else { return }
    let servers = serverAttributes(of: kind)
    var lower: Int32?
    try NetlinkAttribute.forEach(in: datagram, data, of: "IFLA_INFO_DATA") {
      (attribute) throws(NetlinkDecodingError) in
      if kind == "bond" && attribute.type == LinkInformationAttribute.bondActivePort
        || kind == "vxlan" && attribute.type == LinkInformationAttribute.vxlanParent
      {
        lower = try attribute.index(in: datagram, "IFLA_INFO_DATA")
      } else if servers.contains(attribute.type) {
        let server = try attribute.address(in: datagram, "IFLA_INFO_DATA")
        link.serverAddress = server.isUnspecified ? nil : server
      }
    }
    if kind == "bond" { link.activePortIndex = lower } else { link.parentIndex = lower ?? link.parentIndex }
  }

  /// The attributes with the server of a tunnel of the kind, for either family.
  private static func serverAttributes(of kind: String) -> [UInt16] {
    switch kind {
    case "vxlan": [LinkInformationAttribute.vxlanServer, LinkInformationAttribute.vxlanServerIPv6]
    case "geneve": [LinkInformationAttribute.geneveServer, LinkInformationAttribute.geneveServerIPv6]
    case "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan": [LinkInformationAttribute.greServer]
    case "ipip", "sit", "ip6tnl": [LinkInformationAttribute.ipServer]
    case "vti", "vti6": [LinkInformationAttribute.vtiServer]
    default: []
    }
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

extension NetlinkAttribute {
  /// The value as an interface index; `nil` for 0, which means none.
  fileprivate func index(in datagram: Span<UInt8>, _ name: String) throws(NetlinkDecodingError) -> Int32? {
    let index = Int32(bitPattern: try uint32(in: datagram, name))
    return index == 0 ? nil : index
  }
}

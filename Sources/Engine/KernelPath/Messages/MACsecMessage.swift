internal import CNetlink

/// The facts about a link of MACsec from the answers of the family `macsec`: `struct genlmsghdr`, and attributes.
package struct MACsecMessage: Hashable, Sendable {
  /// The link. Source: `MACSEC_ATTR_IFINDEX`.
  package private(set) var interfaceIndex: Int32 = 0
  /// Whether the kernel discards what is sent: packets are to be protected, and the association that is to protect them
  /// has no key in use.
  package var lacksKey: Bool { isProtecting && !active.contains(sendingAssociation) }
  private var isProtecting = false
  private var sendingAssociation: UInt8 = 0
  private var active: [UInt8] = []

  /// Decodes an answer.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/genetlink.h`, `linux/if_macsec.h`.
  package init(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    _ = try message.structure("genlmsghdr", NetlinkMessage.genericHeaderLength)
    var attributes = message.attributes(of: "macsec", after: NetlinkMessage.genericHeaderLength)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case MACSEC_ATTR_IFINDEX: interfaceIndex = try attribute.int32("MACSEC_ATTR_IFINDEX")
      case MACSEC_ATTR_SECY: try decodeEntity(attribute)
      case MACSEC_ATTR_TXSA_LIST:
        var associations = attribute.attributes(of: "MACSEC_ATTR_TXSA_LIST")
        while let association = try associations.next() { try addAssociation(association) }
      default: break
      }
    }
  }

  private mutating func decodeEntity(_ entity: NetlinkAttribute) throws(NetlinkDecodingError) {
    var attributes = entity.attributes(of: "MACSEC_ATTR_SECY")
    while let attribute = try attributes.next() {
      switch attribute.type {
      case MACSEC_SECY_ATTR_ENCODING_SA: sendingAssociation = try attribute.uint8("MACSEC_SECY_ATTR_ENCODING_SA")
      case MACSEC_SECY_ATTR_PROTECT: isProtecting = try attribute.uint8("MACSEC_SECY_ATTR_PROTECT") != 0
      default: break
      }
    }
  }

  private mutating func addAssociation(_ association: NetlinkAttribute) throws(NetlinkDecodingError) {
    var (number, isActive): (UInt8, Bool) = (0, false)
    var attributes = association.attributes(of: "macsec_sa")
    while let attribute = try attributes.next() {
      switch attribute.type {
      case MACSEC_SA_ATTR_AN: number = try attribute.uint8("MACSEC_SA_ATTR_AN")
      case MACSEC_SA_ATTR_ACTIVE: isActive = try attribute.uint8("MACSEC_SA_ATTR_ACTIVE") != 0
      default: break
      }
    }
    if isActive { active.append(number) }
  }
}

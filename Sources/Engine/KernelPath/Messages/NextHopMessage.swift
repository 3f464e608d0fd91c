internal import CNetlink
internal import PathDecisions
internal import PathModel

/// A next-hop object: an `RTM_NEWNEXTHOP` message.
struct NextHopMessage {
  /// The next hop; `nil` for a group, and for an object that discards packets.
  private(set) var leg: RouteLeg?
  /// The identifiers of the objects that a group consists of; empty for others.
  private(set) var members: [UInt32] = []

  /// Decodes the payload of a message: `struct nhmsg` and its attributes.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/nexthop.h`.
  init(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("nhmsg", 8)
    var single = RouteLeg(interfaceIndex: 0, flags: UInt8(truncatingIfNeeded: header.uint32(at: 4)))
    var attributes = message.attributes(of: "nhmsg", after: 8)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case NHA_OIF: single.interfaceIndex = try attribute.int32("NHA_OIF")
      case NHA_GATEWAY: single.gateway = try attribute.address("NHA_GATEWAY")
      case NHA_GROUP:
        // struct nexthop_grp begins with the identifier.
        let length = 8
        for member in 0..<attribute.value.count / length {
          members.append(attribute.value.uint32(at: member * length))
        }
      default: break
      }
    }
    if single.interfaceIndex != 0 { leg = single }
  }
}

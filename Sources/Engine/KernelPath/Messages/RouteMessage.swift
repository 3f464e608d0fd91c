import PathDecisions
import PathModel

extension RouteFacts {
  /// The length of `struct rtmsg`.
  private static var fixedLength: Int { 12 }

  /// Decodes the payload of an `RTM_NEWROUTE` message: `struct rtmsg` and its attributes.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/rtnetlink.h`.
  package init(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    let fixedLength = Self.fixedLength
    try message.require(fixedLength, "rtmsg")
    let start = message.payload.lowerBound
    let flags = datagram.uint32(at: start + 8)
    self.init(
      type: datagram[start + 7], prefixLength: datagram[start + 1],
      table: UInt32(datagram[start + 4]), isCloned: flags & RouteFlag.cloned != 0)
    var single = RouteLeg(interfaceIndex: 0, flags: UInt8(truncatingIfNeeded: flags))
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "rtmsg") {
      (attribute) throws(NetlinkDecodingError) in
      switch attribute.type {
      case RouteAttribute.outputInterface:
        single.interfaceIndex = Int32(bitPattern: try attribute.uint32(in: datagram, "RTA_OIF"))
      case RouteAttribute.gateway: single.gateway = try attribute.address(in: datagram, "RTA_GATEWAY")
      case RouteAttribute.via: single.gateway = try attribute.viaAddress(in: datagram)
      case RouteAttribute.priority: metric = try attribute.uint32(in: datagram, "RTA_PRIORITY")
      case RouteAttribute.preferredSource: source = try attribute.address(in: datagram, "RTA_PREFSRC")
      case RouteAttribute.table: table = try attribute.uint32(in: datagram, "RTA_TABLE")
      case RouteAttribute.preference:
        preference = RouterPreference(code: try attribute.uint8(in: datagram, "RTA_PREF"))
      case RouteAttribute.multipath: legs = try Self.decodeLegs(attribute.value, in: datagram)
      case RouteAttribute.cacheInformation:
        try attribute.require(12, "rta_cacheinfo")
        let expiry = Int32(bitPattern: datagram.uint32(at: attribute.value.lowerBound + 8))
        expires = expiry == 0 ? nil : expiry
      default: break
      }
    }
    if firstLeg == nil, single.interfaceIndex != 0 { firstLeg = single }
  }

  /// Decodes `RTA_MULTIPATH`: a `struct rtnexthop` with attributes for each leg.
  private static func decodeLegs(
    _ range: Range<Int>, in datagram: Span<UInt8>
  ) throws(NetlinkDecodingError) -> [RouteLeg] {
    let fixedLength = 8
    var legs: [RouteLeg] = []
    var offset = range.lowerBound
    while range.upperBound - offset >= fixedLength {
      let length = Int(datagram.uint16(at: offset))
      guard length >= fixedLength, length <= range.upperBound - offset else {
        throw NetlinkDecodingError(
          structure: "rtnexthop", needed: max(length, fixedLength), available: range.upperBound - offset,
          offset: offset)
      }
      var leg = RouteLeg(
        interfaceIndex: Int32(bitPattern: datagram.uint32(at: offset + 4)), flags: datagram[offset + 2])
      try NetlinkAttribute.forEach(in: datagram, offset + fixedLength..<offset + length, of: "rtnexthop") {
        (attribute) throws(NetlinkDecodingError) in
        if attribute.type == RouteAttribute.gateway {
          leg.gateway = try attribute.address(in: datagram, "RTA_GATEWAY")
        } else if attribute.type == RouteAttribute.via {
          leg.gateway = try attribute.viaAddress(in: datagram)
        }
      }
      legs.append(leg)
      offset += (length + 3) & ~3
    }
    return legs
  }
}

extension RouteLeg {
  fileprivate init(interfaceIndex: Int32, flags: UInt8) {
    self.init(
      interfaceIndex: interfaceIndex, isLinkDown: flags & NextHopFlag.linkDown != 0,
      isDead: flags & NextHopFlag.dead != 0)
  }
}

extension RouterPreference {
  /// The preference with this code. Reserved codes mean medium (RFC 4191, section 2.2).
  fileprivate init(code: UInt8) {
    switch code {
    case RouterPreferenceCode.high: self = .high
    case RouterPreferenceCode.low: self = .low
    default: self = .medium
    }
  }
}

extension NetlinkAttribute {
  /// The address of an `RTA_VIA`, a router of another family (RFC 5549). It follows the two bytes of the family.
  fileprivate func viaAddress(in datagram: Span<UInt8>) throws(NetlinkDecodingError) -> IPAddress {
    try require(6, "RTA_VIA")
    guard let address = datagram.address(at: value.lowerBound + 2..<value.upperBound) else {
      throw NetlinkDecodingError(structure: "RTA_VIA", needed: 6, available: value.count, offset: value.lowerBound)
    }
    return address
  }
}

internal import CNetlink
internal import Glibc
package import PathDecisions
internal import PathModel

extension RouteAnswer {
  /// Decodes the kernel's reply to a route lookup, which is a route or an error; `nil` for a message of another type.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  package init?(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    switch message.type {
    case RTM_NEWROUTE: self = .route(try RouteFacts(message))
    case NLMSG_ERROR: self = .refused(errorNumber: try message.errorNumber())
    default: return nil
    }
  }

  /// The errno with which the lookup itself has failed; `nil` if the kernel has answered.
  var failure: Int32? {
    guard case .refused(let errorNumber) = self else { return nil }
    switch errorNumber {
    case ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR: return errorNumber
    default: return nil
    }
  }
}

extension RouteFacts {
  /// Decodes the payload of an `RTM_NEWROUTE` message: `struct rtmsg` and its attributes.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/rtnetlink.h`.
  package init(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("rtmsg", 12)
    let flags = header.uint32(at: 8)
    self.init(
      type: header[7], prefixLength: header[1], table: UInt32(header[4]), isCloned: flags & UInt32(RTM_F_CLONED) != 0)
    var single = RouteLeg(interfaceIndex: 0, flags: UInt8(truncatingIfNeeded: flags))
    var attributes = message.attributes(of: "rtmsg", after: 12)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case RTA_OIF: single.interfaceIndex = try attribute.int32("RTA_OIF")
      case RTA_GATEWAY: single.gateway = try attribute.address("RTA_GATEWAY")
      case RTA_VIA: single.gateway = try attribute.viaAddress()
      case RTA_PRIORITY: metric = try attribute.uint32("RTA_PRIORITY")
      case RTA_PREFSRC: source = try attribute.address("RTA_PREFSRC")
      case RTA_TABLE: table = try attribute.uint32("RTA_TABLE")
      case RTA_PREF: preference = RouterPreference(code: try attribute.uint8("RTA_PREF"))
      case RTA_MULTIPATH: legs = try Self.legs(attribute.value)
      case RTA_NH_ID: nextHopObject = try attribute.uint32("RTA_NH_ID")
      case RTA_CACHEINFO:
        try attribute.value.require(12, "rta_cacheinfo")
        let expiry = attribute.value.int32(at: 8)
        expires = expiry == 0 ? nil : expiry
      default: break
      }
    }
    if firstLeg == nil, single.interfaceIndex != 0 { firstLeg = single }
    if firstLeg != nil { nextHopObject = nil }
  }

  /// Decodes `RTA_MULTIPATH`: a `struct rtnexthop` with attributes for each leg.
  private static func legs(_ value: NetlinkBytes) throws(NetlinkDecodingError) -> [RouteLeg] {
    let fixedLength = 8
    var legs: [RouteLeg] = []
    var rest = value
    while rest.count >= fixedLength {
      let length = Int(rest.uint16(at: 0))
      guard length >= fixedLength, length <= rest.count else {
        throw NetlinkDecodingError(
          structure: "rtnexthop", needed: max(length, fixedLength), available: rest.count, offset: rest.place)
      }
      var leg = RouteLeg(interfaceIndex: rest.int32(at: 4), flags: rest[2])
      var attributes = NetlinkAttributes(rest.extracting(fixedLength..<length), of: "rtnexthop")
      while let attribute = try attributes.next() {
        switch attribute.type {
        case RTA_GATEWAY: leg.gateway = try attribute.address("RTA_GATEWAY")
        case RTA_VIA: leg.gateway = try attribute.viaAddress()
        default: break
        }
      }
      legs.append(leg)
      rest = rest.dropping(aligned: length)
    }
    return legs
  }

  /// The network that a route of the family leads to. It is in no lookup's answer, only in a list of routes.
  static func destination(
    of message: NetlinkMessage, _ family: IPAddress.Family
  ) throws(NetlinkDecodingError) -> PolicyRule.Prefix {
    let header = try message.structure("rtmsg", 12)
    var address = family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6: 0, 0)
    var attributes = message.attributes(of: "rtmsg", after: 12)
    while let attribute = try attributes.next() {
      if attribute.type == RTA_DST { address = try attribute.address("RTA_DST") }
    }
    return PolicyRule.Prefix(address, length: Int(header[1]))
  }
}

extension RouteLeg {
  /// A next hop without a router, with its flags (`RTNH_F_…`).
  init(interfaceIndex: Int32, flags: UInt8) {
    self.init(
      interfaceIndex: interfaceIndex, isLinkDown: flags & UInt8(RTNH_F_LINKDOWN) != 0,
      isDead: flags & UInt8(RTNH_F_DEAD) != 0)
  }
}

extension RouterPreference {
  /// The preference with this code. Reserved codes mean medium (RFC 4191, section 2.2).
  fileprivate init(code: UInt8) {
    switch Int32(code) {
    case ICMPV6_ROUTER_PREF_HIGH: self = .high
    case ICMPV6_ROUTER_PREF_LOW: self = .low
    default: self = .medium
    }
  }
}

extension NetlinkAttribute {
  /// The address of an `RTA_VIA`, a router of another family (RFC 5549). It follows the two bytes of the family.
  fileprivate func viaAddress() throws(NetlinkDecodingError) -> IPAddress {
    try value.require(6, "RTA_VIA")
    guard let address = value.extracting(2..<value.count).address else {
      throw NetlinkDecodingError(structure: "RTA_VIA", needed: 6, available: value.count, offset: value.place)
    }
    return address
  }
}

/// A datagram that a Linux 6.18 kernel sent, byte by byte, with the `ip` commands that led to it.
struct CapturedMessage: Sendable, CustomStringConvertible {
  let description: String
  let bytes: [UInt8]

  /// A datagram from its hexadecimal digits; white space is ignored.
  init(_ name: String, _ hexadecimal: String) {
    description = name
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// A datagram put together by hand.
  init(bytes: [UInt8]) {
    description = "handmade"
    self.bytes = bytes
  }

  static let links = [
    vethDown, vethWithPeerElsewhere, vethUp, vethWithoutCarrier, tun, loopback, bridge, bridgePort, bridgeFamilyLink,
    bridgeFamilyDeletedLink, vxlan, renamed, deleted, alternativeNames,
  ]

  static let others = [
    addressIPv4, addressWithPeer, addressWithPeerIPv6, addressTentative, addressIPv6, addressDeleted, addressDump,
    dumpEnd, ruleAdded, ruleOfUsers, ruleOfUsersIPv6, ruleOfUsersDeleted, nextHop, routeAdded, routeDeleted,
    resolveIPv4, matchIPv4, resolveIPv6, matchIPv6, matchMultipathIPv4, matchMultipathLinkDown, matchMultipathIPv6,
    matchViaIPv6, resolveViaIPv6, matchMultipathViaIPv6, matchNextHopObject, matchLocal, matchAdvertised,
    resolveAdvertised, errorOfBlackhole, errorOfUnreachable, errorOfProhibit, errorOfUnreachableIPv6,
    neighbourReachable, neighbourReachableIPv6, neighbourFailed, neighbourPermanent,
  ]
}

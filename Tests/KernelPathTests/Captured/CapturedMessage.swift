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
  init(_ name: String = "handmade", bytes: [UInt8]) { (description, self.bytes) = (name, bytes) }

  static let links = [vethUp, bridgePort, vxlan]

  static let others = [
    addressIPv4, addressWithPeerIPv6, addressIPv6, addressDump, dumpEnd, neighbourReachableIPv6, neighbourFailed,
    ruleOfUsers, ruleInverted, rulePort, ruleBlackhole, routeAdded, resolveIPv4,
    matchMultipathLinkDown, matchViaIPv6, matchMultipathViaIPv6, matchNextHopObject, matchAdvertised,
    errorOfProhibit,
  ]

  static let all = links + others
}

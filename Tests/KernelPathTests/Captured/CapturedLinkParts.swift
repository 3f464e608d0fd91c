/// Attributes that many link messages have in common, in hexadecimal digits.
extension CapturedMessage {
  /// `IFLA_STATS64` and `IFLA_STATS` of a link without traffic.
  static let noTraffic = "cc001700\(zeros(200))64000700\(zeros(96))"

  /// `AF_INET` in `IFLA_AF_SPEC`: the settings of a new link.
  static let ipv4Settings = """
    8c000200880001000000000000000000000000000100000001000000010000000100000000000000010000000000000000000000000000000000
    00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010270000
    e80300000000000000000000000000000000000001000000
    """

  /// `IFLA_INET6_CONF` in `IFLA_AF_SPEC`: the settings of a new link.
  static func ipv6Settings(mtu: UInt32) -> String {
    let mtu = MessageBuilder.bytes(mtu).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return """
      f40002000000000040000000\(mtu)
      01000000010000000100000001000000ffffffffa00f0000e803000000000000803a09008051010003000000580200001000000000000000
      01000000010000000100000060ea000000000000000000000000000000000000000000000000000001000000000000000000000010270000
      e8030000010000000000000000000000010000000000000000000000010000000000000000000000000000000000000080ee360000000000
      000000000100000000000000000000000000000000000000000000000004000000000000ffff0000ffffffff010000000000000000000000
      00000000
      """
  }

  /// `IFLA_INET6_STATS`, `IFLA_INET6_ICMP6STATS`, `IFLA_INET6_TOKEN` and `IFLA_INET6_ADDR_GEN_MODE` in `IFLA_AF_SPEC`,
  /// of a link without traffic.
  static let noIPv6Traffic =
    "3401030026\(zeros(303))3c00060007\(zeros(55))14000700\(zeros(16))0500080000\(zeros(3))"

  /// The rest of a message of a link without traffic, from the content of `IFLA_AF_SPEC` on.
  ///
  /// - Parameters:
  ///   - flags: `IFLA_INET6_FLAGS`.
  ///   - times: `IFLA_INET6_CACHEINFO` without the longest size of a packet to be put together.
  ///   - mtu: The MTU among the settings of IPv6.
  static func settings(flags: String, times: String, mtu: UInt32) -> String {
    ipv4Settings + "a0020a0008000100\(flags)14000500ffff0000\(times)" + ipv6Settings(mtu: mtu) + noIPv6Traffic
      + "24000e00\(zeros(32))04003e8004004180"
  }

  private static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }
}

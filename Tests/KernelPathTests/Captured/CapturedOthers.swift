/// Messages about addresses, neighbours and policy rules.
extension CapturedMessage {
  // ip address add 192.0.2.2/24 brd + dev eth0
  static let addressIPv4 = CapturedMessage(
    "addressIPv4",
    """
    58000000140000000563006b20130000021880000a00000008000100c000020208000200c000020208000400c00002ff09000300657468300000
    0000080008008000000014000600ffffffffffffffffd75c0400d75c0400
    """)

  // ip address add 2001:db8:9::1 peer 2001:db8:9::2/128 dev eth0 nodad
  static let addressWithPeerIPv6 = CapturedMessage(
    "addressWithPeerIPv6",
    """
    5c0000001400000000000000000000000a8082000a0000001400020020010db80009000000000000000000011400010020010db8000900000000
    00000000000214000600ffffffffffffffffed5c0400ed5c04000800080082000000
    """)

  // ip address add 2001:db8::2/64 dev eth0, after duplicate address detection.
  static let addressIPv6 = CapturedMessage(
    "addressIPv6",
    """
    480000001400000000000000000000000a4080000a0000001400010020010db800000000000000000000000214000600ffffffffffffffff1d5d
    04001d5d04000800080080000000
    """)

  // ip address show
  static let addressDump = CapturedMessage(
    "addressDump", bytes: addressIPv4.bytes + addressWithPeerIPv6.bytes + addressIPv6.bytes)

  // ip address show (the last message).
  static let dumpEnd = CapturedMessage(
    "dumpEnd",
    """
    1400000003000200090000009b0d46dc00000000
    """)

  // A packet to 2001:db8::1, a host on the link of eth0 that answers.
  static let neighbourReachableIPv6 = CapturedMessage(
    "neighbourReachableIPv6",
    """
    580000001c00000000000000000000000a00000002000000020000011400010020010db80000000000000000000000010a0002005aaab4c00986
    000008000400040000001400030000000000000000000000000002000000
    """)

  // A packet to 192.0.2.77, which no host on the link of eth0 has.
  static let neighbourFailed = CapturedMessage(
    "neighbourFailed",
    """
    400000001c000000000000000000000002000000020000002000000108000100c000024d08000400060000001400030080170000100000000000
    000001000000
    """)

  // ip rule add pref 100 uidrange 1000-1999 lookup 100
  static let ruleOfUsers = CapturedMessage(
    "ruleOfUsers",
    """
    48000000200000005486006b4024000002000000640000010000000008000f006400000008000e00ffffffff0500150000000000080006006400
    00000c001400e8030000cf070000
    """)

  // ip rule add pref 1001 not to 198.51.100.0/24 fwmark 0x1/0xff iif lo ipproto tcp lookup main suppress_prefixlength 0
  static let ruleInverted = CapturedMessage(
    "ruleInverted",
    """
    6400000020000200070000006f17000002180000fe0000010200000008000f00fe00000008000e00000000000500150000000000070003006c6f
    000008000600e903000008000a000100000008001000ff000000050016000600000008000100c6336400
    """)

  // ip rule add pref 1004 dport 53 unreachable
  static let rulePort = CapturedMessage(
    "rulePort",
    """
    4c00000020000200070000006f17000002000000000000070000000008000f000000000008000e00ffffffff050015000000000008000600ec03
    0000080018003500350006001d00ffff0000
    """)

  // ip -6 rule add pref 1005 from 2001:db8::/32 oif lo blackhole
  static let ruleBlackhole = CapturedMessage(
    "ruleBlackhole",
    """
    5800000020000200070000006f1700000a002000000000060000000008000f000000000008000e00ffffffff0500150000000000070011006c6f
    000008000600ed0300001400020020010db8000000000000000000000000
    """)
}

/// Route messages: notifications, and answers to `RTM_GETROUTE` without flags (`ip route get`) and with
/// `RTM_F_FIB_MATCH` (`ip route get fibmatch`).
extension CapturedMessage {
  // ip route add 203.0.113.0/24 via 192.0.2.1 metric 5
  static let routeAdded = CapturedMessage(
    "routeAdded",
    """
    44000000180000060a63006b7c13000002180000fe0300010000000008000f00fe00000008000100cb007100080006000500000008000500c000
    0201080004000a000000
    """)

  // ip route add default via 192.0.2.1 metric 100 proto dhcp
  // ip route get 193.0.14.129
  static let resolveIPv4 = CapturedMessage(
    "resolveIPv4",
    """
    7000000018000000070000009b0d46dc02200000fe0000010002000008000f00fe00000008000100c1000e81080004000a00000008000700c000
    020208000500c0000201080019000000000024000c000200000000000000000000000000000000000000000000000000000000000000
    """)

  // ip rule add pref 100 lookup 100
  // ip route add table 100 default nexthop via 192.0.2.1 dev eth0 weight 1 nexthop via 192.0.3.1 dev eth1 weight 2
  // ip -n far link set eth0 down
  // ip route get fibmatch 193.0.14.129
  static let matchMultipathLinkDown = CapturedMessage(
    "matchMultipathLinkDown",
    """
    4800000018000000070000009b0d46dc02000000640300010000000008000f006400000024000900100010000a00000008000500c00002011000
    00011400000008000500c0000301
    """)

  // ip -4 route replace table 100 default via inet6 fe80::1 dev eth0
  // ip route get fibmatch 193.0.14.129
  static let matchViaIPv6 = CapturedMessage(
    "matchViaIPv6",
    """
    4400000018000000070000009b0d46dc02000000640300010000000008000f0064000000160012000a00fe800000000000000000000000000001
    0000080004000a000000
    """)

  // ip -4 route replace table 100 default nexthop via inet6 fe80::1 dev eth0 nexthop via inet6 fe80::2 dev eth1
  // ip route get fibmatch 193.0.14.129
  static let matchMultipathViaIPv6 = CapturedMessage(
    "matchMultipathViaIPv6",
    """
    6800000018000000070000009b0d46dc02000000640300010000000008000f006400000044000900200000000a000000160012000a00fe800000
    00000000000000000000000100002000000014000000160012000a00fe8000000000000000000000000000020000
    """)

  // ip nexthop add id 7 via 192.0.2.1 dev eth0
  // ip route add 193.0.14.0/24 nhid 7
  // ip route get fibmatch 193.0.14.129
  static let matchNextHopObject = CapturedMessage(
    "matchNextHopObject",
    """
    4400000018000000070000009b0d46dc02180000fe0300010000000008000f00fe00000008000100c1000e0008001e000700000008000500c000
    0201080004000a000000
    """)

  // A router advertisement with a lifetime of 1800 s.
  // ip route get fibmatch 2001:7fd::1
  static let matchAdvertised = CapturedMessage(
    "matchAdvertised",
    """
    8000000018000000070000009b0d46dc0a000000fe0900010000000008000f00fe0000000c00080008000a004000000008000600000400001400
    0500fe80000000000000e4256cfffe433aa5080004000a00000024000c000000000000000000ecbe020000000000000000000000000000000000
    000000000500140000000000
    """)

  // ip route add prohibit 193.0.14.0/24
  // ip route get fibmatch 193.0.14.129
  static let errorOfProhibit = CapturedMessage(
    "errorOfProhibit",
    """
    3800000002000000070000009b0d46dcf3ffffff240000001a000100070000000000000002200000000000000030000008000100c1000e81
    """)
}

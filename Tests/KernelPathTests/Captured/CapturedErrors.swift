/// The kernel refusing to route, `NLMSG_ERROR`.
extension CapturedMessage {
  // ip route add blackhole 193.0.14.0/24
  // ip route get fibmatch 193.0.14.129
  static let errorOfBlackhole = CapturedMessage(
    "errorOfBlackhole",
    """
    3800000002000000070000009b0d46dceaffffff240000001a000100070000000000000002200000000000000030000008000100c1000e81
    """)

  // ip route add unreachable 193.0.14.0/24
  // ip route get fibmatch 193.0.14.129
  static let errorOfUnreachable = CapturedMessage(
    "errorOfUnreachable",
    """
    3800000002000000070000009b0d46dc8fffffff240000001a000100070000000000000002200000000000000030000008000100c1000e81
    """)

  // ip route add prohibit 193.0.14.0/24
  // ip route get fibmatch 193.0.14.129
  static let errorOfProhibit = CapturedMessage(
    "errorOfProhibit",
    """
    3800000002000000070000009b0d46dcf3ffffff240000001a000100070000000000000002200000000000000030000008000100c1000e81
    """)

  // ip route add unreachable 2001:dc3::/32
  // ip route get fibmatch 2001:dc3::35
  static let errorOfUnreachableIPv6 = CapturedMessage(
    "errorOfUnreachableIPv6",
    """
    4400000002000000070000009b0d46dc8fffffff300000001a00010007000000000000000a80000000000000002000001400010020010dc30000
    00000000000000000035
    """)
}

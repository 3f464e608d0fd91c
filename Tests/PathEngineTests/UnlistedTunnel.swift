import KernelTestSupport

/// A tunnel over UDP of a kind that the table of kinds does not list, as the driver of a VPN that Linux does not have
/// yet. The link is virtual and point to point, and has no hardware addresses.
///
/// The kind is Geneve for IP packets under another name; `Tests/VM/truth` loads such a driver. `ip` only knows the
/// settings of kinds that it lists, so the message to the kernel is put together here (`linux/if_link.h`).
enum UnlistedTunnel {
  static let kind = "vendor"
  /// The port to which the tunnel sends its packets.
  static let port: UInt16 = 6_081

  /// Asks the kernel for a tunnel in the namespace of this thread. Nothing happens if the kernel lacks the kind.
  static func add(_ name: String, index: Int32, server: [UInt8]) {
    let data =
      attribute(1, bytes(UInt32(7)))  // IFLA_GENEVE_ID
      + attribute(2, server)  // IFLA_GENEVE_REMOTE
      + attribute(5, bytes(port.bigEndian))  // IFLA_GENEVE_PORT
      + attribute(14, [])  // IFLA_GENEVE_INNER_PROTO_INHERIT: IP packets instead of frames
    let information =
      attribute(1, Array(kind.utf8))  // IFLA_INFO_KIND
      + attribute(2, data)  // IFLA_INFO_DATA
    let message =
      bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(index) + bytes(UInt32(0)) + bytes(UInt32(0))  // struct ifinfomsg
      + attribute(3, Array(name.utf8) + [0])  // IFLA_IFNAME
      + attribute(18, information)  // IFLA_LINKINFO
    let newLink: UInt16 = 16  // RTM_NEWLINK
    let flags: UInt16 = 0x0601  // NLM_F_REQUEST, NLM_F_EXCL, NLM_F_CREATE
    let header =
      bytes(UInt32(16 + message.count)) + bytes(newLink) + bytes(flags) + bytes(UInt32(0)) + bytes(UInt32(0))
    _ = NetlinkSockets.forge(header + message, to: 0)
  }

  private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    bytes(UInt16(4 + value.count)) + bytes(type) + value + [UInt8](repeating: 0, count: -value.count & 3)
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

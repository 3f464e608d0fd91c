import PathModel

@testable import KernelPath

/// Messages put together by hand, as the kernel lays them out on a little-endian machine.
enum MessageBuilder {
  /// `struct nlmsghdr` and a payload, padded.
  static func message(_ type: some BinaryInteger, flags: UInt16 = 0, sequence: UInt32 = 0, _ payload: [UInt8])
    -> [UInt8]
  {
    padded(
      bytes(UInt32(16 + payload.count)) + bytes(UInt16(type)) + bytes(flags) + bytes(sequence) + bytes(UInt32(0))
        + payload)
  }

  /// `struct ifinfomsg`.
  static func linkHeader(
    family: UInt8 = 0, hardwareType: UInt16 = 1, index: Int32, flags: UInt32, change: UInt32 = 0
  ) -> [UInt8] {
    [family, 0] + bytes(hardwareType) + bytes(UInt32(bitPattern: index)) + bytes(flags) + bytes(change)
  }

  /// `struct rtmsg` of a unicast route of table main.
  static func routeHeader(family: UInt8, prefixLength: UInt8) -> [UInt8] {
    [family, prefixLength, 0, 0, 254, 3, 0, 1] + bytes(UInt32(0))
  }

  /// `struct fib_rule_hdr` of a rule that leads to table main.
  static func ruleHeader(family: UInt8) -> [UInt8] {
    [family, 0, 0, 0, 254, 0, 0, 1] + bytes(UInt32(0))
  }

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The 4 or 16 bytes of an address.
  static func bytes(_ address: IPAddress) -> [UInt8] {
    Array(address.socketBytes(of: address.family).prefix(Int(address.family.bitWidth) / 8))
  }

  /// The messages of a datagram, decoded by an initialiser.
  static func decode<Value>(
    _ datagram: [UInt8], _ decode: (NetlinkMessage) throws(NetlinkDecodingError) -> Value
  ) throws(NetlinkDecodingError) -> [Value] {
    var values: [Value] = []
    var messages = NetlinkMessages(datagram.span)
    while let message = try messages.next() { values.append(try decode(message)) }
    return values
  }

  fileprivate static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
  }
}

/// `struct nlattr` and a value, padded.
func attribute(_ type: some BinaryInteger, _ value: [UInt8]) -> [UInt8] {
  MessageBuilder.padded(MessageBuilder.bytes(UInt16(4 + value.count)) + MessageBuilder.bytes(UInt16(type)) + value)
}

/// An attribute with an integer of 4 bytes.
func attribute(_ type: some BinaryInteger, _ value: UInt32) -> [UInt8] { attribute(type, MessageBuilder.bytes(value)) }

/// An attribute with a text that ends with a NUL byte.
func attribute(_ type: some BinaryInteger, _ text: String) -> [UInt8] { attribute(type, Array(text.utf8) + [0]) }

internal import PathModel

/// The header of one message in a datagram (`struct nlmsghdr`), and the range of its payload.
package struct NetlinkMessage: Hashable, Sendable {
  /// The type, `NLMSG_…` or `RTM_…`.
  package var type: UInt16
  /// The flags, `NLM_F_…`.
  package var flags: UInt16
  /// The number of the request this answers; 0 for notifications.
  package var sequence: UInt32
  /// The bytes after the header.
  package var payload: Range<Int>

  static let headerLength = 16
  /// The length of `struct genlmsghdr`, with which a message of generic netlink goes on.
  static let genericHeaderLength = 4

  /// Goes through the messages of a datagram in order.
  ///
  /// - Throws: ``NetlinkDecodingError`` at the first message that overruns the datagram, or the error of `body`.
  package static func forEach(
    in datagram: Span<UInt8>, _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) throws(NetlinkDecodingError) {
    var offset = 0
    while let message = try next(in: datagram, &offset) { try body(message) }
  }

  /// Returns the message at the offset and moves the offset behind it; `nil` at the end of the datagram.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the message overruns the datagram.
  static func next(in datagram: Span<UInt8>, _ offset: inout Int) throws(NetlinkDecodingError) -> NetlinkMessage? {
    let available = datagram.count - offset
    if available <= 0 { return nil }
    guard available >= headerLength else {
      throw NetlinkDecodingError(structure: "nlmsghdr", needed: headerLength, available: available, offset: offset)
    }
    let length = Int(datagram.uint32(at: offset))
    guard length >= headerLength, length <= available else {
      throw NetlinkDecodingError(
        structure: "netlink message", needed: max(length, headerLength), available: available, offset: offset)
    }
    let message = NetlinkMessage(
      type: datagram.uint16(at: offset + 4), flags: datagram.uint16(at: offset + 6),
      sequence: datagram.uint32(at: offset + 8), payload: offset + headerLength..<offset + length)
    offset += (length + 3) & ~3
    return message
  }
}

/// One attribute of a message (`struct nlattr`), and the range of its value.
package struct NetlinkAttribute: Hashable, Sendable {
  /// The type without the flags `NLA_F_NESTED` and `NLA_F_NET_BYTEORDER`.
  package var type: UInt16
  /// The bytes of the value.
  package var value: Range<Int>

  static let headerLength = 4

  /// Goes through the attributes in a range of a datagram in order. The caller skips unknown types.
  ///
  /// - Throws: ``NetlinkDecodingError`` at the first attribute that overruns the range, or the error of `body`.
  package static func forEach(
    in datagram: Span<UInt8>, _ range: Range<Int>, of structure: String,
    _ body: (NetlinkAttribute) throws(NetlinkDecodingError) -> Void
  ) throws(NetlinkDecodingError) {
    var offset = range.lowerBound
    while range.upperBound - offset >= headerLength {
      let length = Int(datagram.uint16(at: offset))
      guard length >= headerLength, length <= range.upperBound - offset else {
        throw NetlinkDecodingError(
          structure: "attribute of \(structure)", needed: max(length, headerLength),
          available: range.upperBound - offset, offset: offset)
      }
      try body(
        NetlinkAttribute(
          type: datagram.uint16(at: offset + 2) & 0x3fff, value: offset + headerLength..<offset + length))
      offset += (length + 3) & ~3
    }
  }

  /// The value as an integer of 4 bytes.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the value is shorter.
  func uint32(in datagram: Span<UInt8>, _ name: String) throws(NetlinkDecodingError) -> UInt32 {
    try require(4, name)
    return datagram.uint32(at: value.lowerBound)
  }

  /// The first byte of the value.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the value is empty.
  func uint8(in datagram: Span<UInt8>, _ name: String) throws(NetlinkDecodingError) -> UInt8 {
    try require(1, name)
    return datagram[value.lowerBound]
  }

  /// The value as an address.
  ///
  /// - Throws: ``NetlinkDecodingError`` when it has neither 4 nor 16 bytes.
  func address(in datagram: Span<UInt8>, _ name: String) throws(NetlinkDecodingError) -> IPAddress {
    guard let address = datagram.address(at: value) else {
      throw NetlinkDecodingError(structure: name, needed: 4, available: value.count, offset: value.lowerBound)
    }
    return address
  }

  func require(_ length: Int, _ name: String) throws(NetlinkDecodingError) {
    guard value.count >= length else {
      throw NetlinkDecodingError(structure: name, needed: length, available: value.count, offset: value.lowerBound)
    }
  }
}

extension NetlinkMessage {
  /// Checks that the payload holds the fixed structure at its start.
  func require(_ length: Int, _ structure: String) throws(NetlinkDecodingError) {
    guard payload.count >= length else {
      throw NetlinkDecodingError(
        structure: structure, needed: length, available: payload.count, offset: payload.lowerBound)
    }
  }

  /// The range after the fixed structure of the payload, aligned.
  func attributes(after length: Int) -> Range<Int> {
    min(payload.lowerBound + (length + 3) & ~3, payload.upperBound)..<payload.upperBound
  }

  /// The errno of an `NLMSG_ERROR` or `NLMSG_DONE`; 0 is an acknowledgement.
  package func errorNumber(in datagram: Span<UInt8>) throws(NetlinkDecodingError) -> Int32 {
    try require(4, "nlmsgerr")
    let code = Int32(bitPattern: datagram.uint32(at: payload.lowerBound))
    // The kernel sends -errno. A positive number is no errno, and neither is the minimum, which has no positive
    // counterpart.
    return code <= 0 && code > Int32.min ? -code : 0
  }
}

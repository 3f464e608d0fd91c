internal import PathModel

/// Bytes of a datagram that know their place in it, so that an error can name it. They do not outlive the datagram.
///
/// Integers of netlink are in host order, and addresses in network order. Every read is checked against the bounds;
/// callers check lengths first (``require(_:_:)``), so that a short message is an error and never a trap.
package struct NetlinkBytes: ~Escapable {
  private let bytes: Span<UInt8>
  /// The place of the first byte in the datagram.
  let place: Int

  /// All bytes of a datagram.
  @_lifetime(copy datagram)
  init(_ datagram: Span<UInt8>) {
    bytes = datagram
    place = 0
  }

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>, at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// The bytes in a range.
  @_lifetime(copy self)
  func extracting(_ range: Range<Int>) -> NetlinkBytes {
    NetlinkBytes(bytes.extracting(range), at: place + range.lowerBound)
  }

  /// The bytes behind the first ones, which end at a multiple of four; none if there are no more.
  @_lifetime(copy self)
  func dropping(aligned count: Int) -> NetlinkBytes {
    extracting(min((count + 3) & ~3, self.count)..<self.count)
  }

  /// Checks that there are so many bytes.
  ///
  /// - Throws: ``NetlinkDecodingError`` with the name of the structure that needs them.
  func require(_ length: Int, _ structure: String) throws(NetlinkDecodingError) {
    guard count >= length else {
      throw NetlinkDecodingError(structure: structure, needed: length, available: count, offset: place)
    }
  }

  /// The byte at the offset.
  subscript(offset: Int) -> UInt8 { bytes[offset] }

  /// The integer of 2 bytes at the offset.
  func uint16(at offset: Int) -> UInt16 {
    let part = bytes.extracting(offset..<offset + 2)
    return (UInt16(part[0]) | UInt16(part[1]) << 8).fromLittleEndian
  }

  /// The integer of 4 bytes at the offset.
  func uint32(at offset: Int) -> UInt32 {
    let part = bytes.extracting(offset..<offset + 4)
    let value = UInt32(part[0]) | UInt32(part[1]) << 8 | UInt32(part[2]) << 16 | UInt32(part[3]) << 24
    return value.fromLittleEndian
  }

  /// The signed integer of 4 bytes at the offset, such as the index of an interface.
  func int32(at offset: Int) -> Int32 { Int32(bitPattern: uint32(at: offset)) }

  /// The address that all of the bytes are; `nil` unless there are 4 or 16.
  var address: IPAddress? {
    switch count {
    case 4: IPAddress(ipv4: UInt32(bigEndian(0..<4)))
    case 16: IPAddress(ipv6: bigEndian(0..<8), bigEndian(8..<16))
    default: nil
    }
  }

  private func bigEndian(_ range: Range<Int>) -> UInt64 {
    var value: UInt64 = 0
    for index in range { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// The bytes as an array.
  var array: [UInt8] { (0..<count).map { bytes[$0] } }

  /// The text up to the first NUL byte. Names need not be UTF-8; see ``Swift/String/init(nameBytes:)``.
  var text: String {
    var name: [UInt8] = []
    for index in 0..<count {
      if bytes[index] == 0 { break }
      name.append(bytes[index])
    }
    return String(nameBytes: name)
  }
}

extension FixedWidthInteger {
  /// Bytes put together in little-endian order, as the host would have read them.
  fileprivate var fromLittleEndian: Self {
    #if _endian(big)
      byteSwapped
    #else
      self
    #endif
  }
}

internal import PathModel

/// Reading netlink's integers, which are in host order, and addresses, which are in network order. Every read
/// is checked against the bounds of the span; callers check lengths first, so that a short message is an error
/// and never a trap.
extension Span where Element == UInt8 {
  func uint16(at offset: Int) -> UInt16 {
    let bytes = extracting(offset..<offset + 2)
    return (UInt16(bytes[0]) | UInt16(bytes[1]) << 8).fromLittleEndian
  }

  func uint32(at offset: Int) -> UInt32 {
    let bytes = extracting(offset..<offset + 4)
    let value = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 24
    return value.fromLittleEndian
  }

  /// The 4 or 16 bytes of an address.
  func address(at range: Range<Int>) -> IPAddress? {
    func bigEndian(_ range: Range<Int>) -> UInt64 {
      var value: UInt64 = 0
      for index in range { value = value << 8 | UInt64(self[index]) }
      return value
    }
    switch range.count {
    case 4: return IPAddress(ipv4: UInt32(bigEndian(range)))
    case 16:
      let middle = range.lowerBound + 8
      return IPAddress(ipv6: bigEndian(range.lowerBound..<middle), bigEndian(middle..<range.upperBound))
    default: return nil
    }
  }

  /// The text up to the first NUL byte. Names need not be UTF-8; see ``Swift/String/init(nameBytes:)``.
  func text(at range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    for index in range {
      if self[index] == 0 { break }
      bytes.append(self[index])
    }
    return String(nameBytes: bytes)
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

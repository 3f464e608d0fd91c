extension String {
  /// The text of the bytes of a name, which need not be UTF-8. Different bytes are different texts.
  ///
  /// If the bytes are not UTF-8, each backslash and each byte that is not ASCII becomes `\xNN`. The backslashes of a
  /// name that looks as if that had been done to it become `\x5c`.
  package init(nameBytes bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self), !Self.hasEscape(bytes[...]) {
      self = text
      return
    }
    let isText = String(validating: bytes, as: UTF8.self) != nil
    let escaped = bytes.flatMap { byte in
      if byte != UInt8(ascii: "\\"), byte < 0x80 || isText { return [byte] }
      return Array("\\x\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
    }
    self.init(decoding: escaped, as: UTF8.self)
  }

  /// The bytes of the name whose text this is; the reverse of ``init(nameBytes:)``.
  package var nameBytes: [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if let escaped = Self.escapedByte(rest) {
        bytes.append(escaped)
        rest = rest.dropFirst(4)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return bytes
  }

  private static func hasEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.contains { bytes[$0] == UInt8(ascii: "\\") && escapedByte(bytes[$0...]) != nil }
  }

  /// The byte of the `\xNN` with which the bytes begin; `nil` if they begin otherwise.
  private static func escapedByte(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.starts(with: "\\x".utf8), bytes.count >= 4 else { return nil }
    let digits = bytes.dropFirst(2).prefix(2)
    let isHexadecimal = digits.allSatisfy { digit in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    }
    return isHexadecimal ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}

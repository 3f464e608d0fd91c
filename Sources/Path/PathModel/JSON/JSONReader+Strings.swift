extension JSONReader {
  /// Reads a string that begins at `position` with its quotation mark.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let start = position + 1
    let (end, hasEscapes) = try closingQuotationMark(bytes, from: start)
    let raw = try validated(bytes, from: start, to: end)
    position = start
    let result = hasEscapes ? try unescaped(bytes, to: end, capacity: raw.utf8.count) : raw
    position = end + 1
    return result
  }

  private mutating func closingQuotationMark(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
    var hasEscapes = false
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return (index, hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        // An escaped byte does not close the string. Escapes are resolved later.
        index += 1
      } else if byte < 0x20 {
        position = index
        throw mistake(.controlCharacter, "expected control characters in a string to be escaped", bytes)
      }
      index += 1
    }
    throw JSONError(
      .unexpectedEnd, offset: bytes.count, message: "the string that begins at byte \(start - 1) is not closed")
  }

  /// Copies bytes that must be UTF-8, without resolving escapes.
  func validated(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(JSONError) -> String {
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.extracting(start..<end)))
    } catch {
      let offset = start + error.byteOffsets.lowerBound
      throw JSONError(
        .invalidUTF8, offset: offset,
        message: "the string is not valid UTF-8, found \(Self.name(of: bytes[offset]))")
    }
  }

  /// Resolves the escapes between `position` and `end`, whose bytes are known to be UTF-8.
  private mutating func unescaped(_ bytes: Span<UInt8>, to end: Int, capacity: Int) throws(JSONError) -> String {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(capacity)
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        try appendEscape(bytes, to: &utf8)
      } else {
        utf8.append(byte)
        position += 1
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Resolves the escape at `position`; the closing quotation mark is known to come after it.
  private mutating func appendEscape(_ bytes: Span<UInt8>, to utf8: inout [UInt8]) throws(JSONError) {
    position += 1
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(byte)
    case UInt8(ascii: "n"): utf8.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "r"): utf8.append(UInt8(ascii: "\r"))
    case UInt8(ascii: "t"): utf8.append(UInt8(ascii: "\t"))
    case UInt8(ascii: "b"): utf8.append(0x08)
    case UInt8(ascii: "f"): utf8.append(0x0C)
    case UInt8(ascii: "u"):
      utf8.append(contentsOf: String(try unicodeEscape(bytes)).utf8)
      return
    default:
      throw mistake(.invalidEscape, #"expected one of "\/bfnrtu after the backslash"#, bytes)
    }
    position += 1
  }

  /// Reads the digits of the escape whose `u` stands at `position`, and the escape of its other half.
  private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
    let start = position - 1
    let first = try hexadecimalDigits(bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // The conversion fails for the surrogates alone, D800 to DFFF; a pair is high, then low.
    guard first < 0xDC00, consume(UInt8(ascii: "\\"), bytes), peek(bytes) == UInt8(ascii: "u") else {
      throw loneSurrogate(first, at: start)
    }
    let second = try hexadecimalDigits(bytes)
    let combined = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
    guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(combined) else {
      throw loneSurrogate(first, at: start)
    }
    return scalar
  }

  private mutating func hexadecimalDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
    position += 1
    var result: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek(bytes), let digit = Self.hexadecimalValue(byte) else {
        throw mistake(.invalidEscape, #"expected four hexadecimal digits after '\u'"#, bytes)
      }
      result = result << 4 | digit
      position += 1
    }
    return result
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private func loneSurrogate(_ value: UInt16, at offset: Int) -> JSONError {
    let digits = String(value, radix: 16, uppercase: true)
    return JSONError(
      .loneSurrogate, offset: offset, message: #"the escape '\u\#(digits)' is one half of a surrogate pair"#)
  }
}

extension JSONReader {
  /// Reads a number that begins at `position` with a digit or a minus sign.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = consume(UInt8(ascii: "-"), bytes)
    let integer = try integerPart(bytes, isNegative: isNegative)
    let hasFraction = consume(UInt8(ascii: "."), bytes)
    if hasFraction { try digits(bytes, after: "the decimal point") }
    let hasExponent = consume(UInt8(ascii: "e"), bytes) || consume(UInt8(ascii: "E"), bytes)
    if hasExponent {
      _ = consume(UInt8(ascii: "+"), bytes) || consume(UInt8(ascii: "-"), bytes)
      try digits(bytes, after: "the exponent sign")
    }
    if let integer, !hasFraction, !hasExponent { return .integer(integer) }
    return .number(try double(bytes, from: start))
  }

  /// Reads the digits before fraction and exponent: their value, or `nil` when it does not fit `Int64`.
  private mutating func integerPart(_ bytes: Span<UInt8>, isNegative: Bool) throws(JSONError) -> Int64? {
    let start = position
    // The negative range reaches one further, so digits are subtracted and the sign is turned at the end.
    var negated: Int64? = 0
    while let digit = digit(bytes) {
      negated = negated.flatMap { Self.appending(digit, to: $0) }
      position += 1
    }
    guard position > start else {
      throw mistake(.invalidNumber, "expected a digit after '-'", bytes)
    }
    guard position == start + 1 || bytes[start] != UInt8(ascii: "0") else {
      throw JSONError(.invalidNumber, offset: start, message: "a number must not have leading zeros")
    }
    guard let negated, !isNegative else { return negated }
    return negated == .min ? nil : -negated
  }

  /// `10 * negated - digit`, or `nil` when it does not fit.
  private static func appending(_ digit: UInt8, to negated: Int64) -> Int64? {
    let (product, overflow) = negated.multipliedReportingOverflow(by: 10)
    let (difference, underflow) = product.subtractingReportingOverflow(Int64(digit))
    return overflow || underflow ? nil : difference
  }

  private mutating func digits(_ bytes: Span<UInt8>, after place: StaticString) throws(JSONError) {
    guard digit(bytes) != nil else {
      throw mistake(.invalidNumber, "expected a digit after \(place)", bytes)
    }
    while digit(bytes) != nil { position += 1 }
  }

  /// The value of the digit at `position`, or `nil` when there is none.
  private func digit(_ bytes: Span<UInt8>) -> UInt8? {
    guard let byte = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    return byte - UInt8(ascii: "0")
  }

  /// Converts the number between `start` and `position`, which is known to be well formed.
  private func double(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Double {
    let text = try validated(bytes, from: start, to: position)
    guard let result = Double(text), result.isFinite else {
      throw JSONError(.numberOutOfRange, offset: start, message: "the number is too large for a 64-bit floating point")
    }
    return result
  }
}

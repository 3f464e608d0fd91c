/// Reads time spans as systemd.time(7) spells them: `50ms`, `2min`, `1h 30min`, `0.5s`; a bare number is seconds.
package enum TimeSpan {
  /// A mistake in a time span.
  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake in words, without a full stop.
    package var description: String
  }

  /// The longest span that is accepted, one year: a longer one is most likely a slip.
  package static let longest: Duration = .seconds(31_557_600)

  private static let microsecondsByUnit: [String: Int64] = {
    let table: [(names: [String], microseconds: Int64)] = [
      (["us", "usec", "µs", "μs"], 1),
      (["ms", "msec"], 1_000),
      (["", "s", "sec", "second", "seconds"], 1_000_000),
      (["m", "min", "minute", "minutes"], 60_000_000),
      (["h", "hr", "hour", "hours"], 3_600_000_000),
      (["d", "day", "days"], 86_400_000_000),
      (["w", "week", "weeks"], 604_800_000_000),
    ]
    var units: [String: Int64] = [:]
    for row in table { for name in row.names { units[name] = row.microseconds } }
    return units
  }()

  /// Parses a span.
  ///
  /// - Throws: ``ParseError`` when the text is empty, has a sign, an unknown unit, or is longer than a year.
  package static func parse(_ text: String) throws(ParseError) -> Duration {
    // By Unicode scalars: a digit with a combining mark is a character of its own, and no digit.
    var rest = text.unicodeScalars.drop { $0 == " " }
    var total: Int64 = 0
    guard !rest.isEmpty else { throw ParseError(description: "it is empty") }
    while !rest.isEmpty {
      let number = rest.prefix { digits.contains($0) || $0 == "." }
      guard !number.isEmpty else {
        throw ParseError(description: "\(String(rest).quotedInLine) does not start with a number")
      }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.properties.isAlphabetic }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard let factor = microsecondsByUnit[String(unit)] else {
        throw ParseError(description: "\(String(unit).quotedInLine) is not a unit (us, ms, s, min, h, d, w)")
      }
      total += try microseconds(number, factor)
      guard total <= limit else { throw tooLong }
    }
    return .microseconds(total)
  }

  private static let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
  private static let limit: Int64 = 31_557_600_000_000
  private static let tooLong = ParseError(description: "it is longer than a year")

  private static func microseconds(
    _ number: String.UnicodeScalarView.SubSequence, _ factor: Int64
  ) throws(ParseError) -> Int64 {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else {
      throw ParseError(description: "\(String(number).quotedInLine) is not a number")
    }
    var whole: Int64 = 0
    for digit in parts[0] {
      whole = whole * 10 + Int64(digit.value - digits.lowerBound.value)
      guard whole <= limit else { throw tooLong }
    }
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    guard !overflow, product <= limit else { throw tooLong }
    guard parts.count == 2 else { return product }
    var (fraction, scale) = (Int64(0), Int64(1))
    for digit in parts[1].prefix(9) {
      fraction = fraction * 10 + Int64(digit.value - digits.lowerBound.value)
      scale *= 10
    }
    return product + Int64(Int128(fraction) * Int128(factor) / Int128(scale))
  }
}

/// Reads time spans as systemd.time(7) spells them: `50ms`, `2min`, `1h 30min`, `0.5s`; a bare number is seconds.
package enum TimeSpan {
  /// Why a text is not a time span.
  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what is allowed, without a full stop.
    package var description: String
  }

  /// The longest span that is taken, one year: more is a slip of the pen.
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
    var rest = text[...]
    var total: Int64 = 0
    rest = rest.drop { $0 == " " }
    guard !rest.isEmpty else { throw ParseError(description: "it is empty") }
    while !rest.isEmpty {
      let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      guard !number.isEmpty else {
        throw ParseError(description: "'\(rest)' does not start with a number")
      }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard let factor = microsecondsByUnit[String(unit)] else {
        throw ParseError(description: "'\(unit)' is not a unit (us, ms, s, min, h, d, w)")
      }
      total += try microseconds(String(number), factor)
      guard total <= 31_557_600_000_000 else { throw ParseError(description: "it is longer than a year") }
    }
    return .microseconds(total)
  }

  private static func microseconds(_ number: String, _ factor: Int64) throws(ParseError) -> Int64 {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int64(parts[0].isEmpty ? "0" : parts[0]), number != "." else {
      throw ParseError(description: "'\(number)' is not a number")
    }
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    guard !overflow, product <= 31_557_600_000_000 else {
      throw ParseError(description: "it is longer than a year")
    }
    guard parts.count == 2 else { return product }
    var (fraction, scale) = (Int64(0), Int64(1))
    for digit in parts[1].prefix(9) {
      fraction = fraction * 10 + Int64(digit.wholeNumberValue ?? 0)
      scale *= 10
    }
    return product + Int64(Int128(fraction) * Int128(factor) / Int128(scale))
  }
}

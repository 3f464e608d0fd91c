package import PathModel

/// Lengths and shares as people read them.
package enum LengthText {
  /// A length in microseconds: `340 ms`, `12.4 s`, `2 min 5 s`, `1 d 3 h`. Smaller units are cut off.
  package static func text(_ microseconds: Int64) -> String {
    switch microseconds {
    case ..<0: "0 s"
    case 0: "0 s"
    case ..<1_000: "under 1 ms"
    case ..<1_000_000: "\(microseconds / 1_000) ms"
    case ..<60_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: TimeSpan.text(.microseconds(microseconds))
    }
  }

  /// A length in seconds with all its digits, such as `12.408113`.
  package static func seconds(_ microseconds: Int64) -> String {
    let digits = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
  }

  /// A length in seconds with milliseconds, such as `12.408`. Smaller digits are cut off.
  package static func milliseconds(_ microseconds: Int64) -> String { String(seconds(microseconds).dropLast(3)) }

  /// The part of the uptime in all time that was watched, such as `99.93 %`. It is rounded down, so that only a time
  /// without downtime has 100 %. A dash if nothing was watched.
  package static func share(_ totals: PathTotals) -> String {
    let watched = totals.watched
    if watched == 0 { return "–" }
    if totals.satisfied == watched { return "100 %" }
    let thousandths = Int64(Int128(totals.satisfied) * 100_000 / Int128(watched))
    let digits = String(thousandths % 1_000)
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(thousandths / 1_000).\(thousandths >= 99_900 ? Substring(fraction) : fraction.prefix(2)) %"
  }

  /// A number of outages in words.
  package static func outages(_ count: Int64) -> String {
    count == 0 ? "no outage" : count == 1 ? "1 outage" : "\(count) outages"
  }
}

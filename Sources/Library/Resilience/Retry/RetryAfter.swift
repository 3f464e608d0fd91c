internal import SystemIO

/// The value of the header field `Retry-After`: a number of seconds or a moment.
///
/// Source: RFC 9110, sections 10.2.3 and 5.6.7.
public enum RetryAfter: Hashable, Sendable {
  /// So long after the answer.
  case delay(Duration)
  /// At this moment, in seconds since 1970 in UTC.
  case moment(secondsSince1970: Int64)

  /// Reads the value of the field: seconds, or one of the three forms of an HTTP date. `nil` for any other text.
  ///
  /// - Parameters:
  ///   - text: The value, with or without blanks around it.
  ///   - now: The present time in seconds since 1970, which decides the century of an RFC 850 date. A year
  ///     that appears to be more than 50 years in the future is in the past.
  public init?(_ text: String, now: Int64) {
    let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    if words.count == 1, let digits = words.first, digits.utf8.allSatisfy({ (48...57).contains($0) }) {
      // A number that fits nowhere is a very long time.
      self = .delay(.seconds(min(Int64(digits) ?? .max, Self.longest)))
      return
    }
    guard let date = HTTPDate(words, currentYear: 1970 + Int(now / 31_556_952)) else { return nil }
    self = .moment(secondsSince1970: date.secondsSince1970)
  }

  /// The time from now on; zero for a moment that has passed.
  ///
  /// - Parameter now: The present time in seconds since 1970. The `Date` field of the same answer is the better
  ///   choice: it does not depend on the clock of this machine.
  public func delay(from now: Int64) -> Duration {
    switch self {
    case .delay(let delay): return delay
    case .moment(let moment):
      let (difference, overflow) = moment.subtractingReportingOverflow(now)
      return overflow ? .zero : .seconds(max(0, min(difference, Self.longest)))
    }
  }

  /// Thirty years, which every clock can count.
  private static let longest: Int64 = 1_000_000_000
}

/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
/// `Sun Nov  6 08:49:37 1994`. The name of the day is not compared with the date.
struct HTTPDate: Hashable, Sendable {
  let secondsSince1970: Int64

  init?(_ words: [String], currentYear: Int) {
    let day: Int?
    let month: String
    let year: Int?
    let time: String
    switch words.count {
    // IMF-fixdate
    case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
      (day, month, year, time) = (Self.number(words[1], 2), words[2], Self.number(words[3], 4), words[4])
    // RFC 850
    case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let short = Self.number(parts[2], 2) else { return nil }
      let candidate = currentYear / 100 * 100 + short
      (day, month, time) = (Self.number(parts[0], 2), parts[1], words[2])
      year = candidate > currentYear + 50 ? candidate - 100 : candidate
    // asctime
    case 5:
      (day, month, year, time) = (Self.number(words[2], 1...2), words[1], Self.number(words[4], 4), words[3])
    default: return nil
    }
    guard let day, let year, (0...9_999).contains(year), let month = Self.months.firstIndex(of: month),
      let seconds = Self.seconds(time)
    else { return nil }
    let days = SystemCalendar.daysSince1970(year: year, month: month + 1, day: day)
    // A day that its month does not have becomes one of another month.
    guard SystemCalendar.date(daysSince1970: days).day == day else { return nil }
    secondsSince1970 = Int64(days) * 86_400 + seconds
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func number(_ text: String, _ length: Int) -> Int? { number(text, length...length) }

  private static func number(_ text: String, _ lengths: ClosedRange<Int>) -> Int? {
    guard lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The seconds of `08:49:37`; a leap second is the 60th.
  private static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), 2) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], hours < 24,
      minutes < 60, seconds <= 60
    else { return nil }
    return Int64(hours * 3_600 + minutes * 60 + seconds)
  }
}

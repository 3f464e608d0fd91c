package import History

/// The rules of a time zone: those of the system, or a table in tests.
package protocol TimeZoneRules: Sendable {
  /// The offset at a moment.
  ///
  /// - Parameter second: Seconds since 1970 UTC.
  func offset(at second: Int64) -> TimeZoneOffset
}

/// The difference between local time and UTC while it lasts.
package struct TimeZoneOffset: Hashable, Sendable {
  /// The seconds by which local time is ahead of UTC.
  package var seconds: Int
  /// The name of the local time meanwhile, such as `CET`.
  package var abbreviation: String

  /// An offset.
  package init(seconds: Int, abbreviation: String) {
    (self.seconds, self.abbreviation) = (seconds, abbreviation)
  }

  /// The offset as `+01:00`.
  package var text: String {
    let (sign, minutes) = (seconds < 0 ? "-" : "+", abs(seconds) / 60)
    return "\(sign)\(CivilDate.twoDigits(minutes / 60)):\(CivilDate.twoDigits(minutes % 60))"
  }
}

/// UTC, or any other offset that never changes.
package struct FixedOffset: TimeZoneRules {
  private let offset: TimeZoneOffset

  /// The rules with this offset at all times.
  package init(seconds: Int = 0, abbreviation: String = "UTC") {
    offset = TimeZoneOffset(seconds: seconds, abbreviation: abbreviation)
  }

  package func offset(at second: Int64) -> TimeZoneOffset { offset }
}

/// A moment as clocks in a time zone show it.
package struct LocalTime: Hashable, Sendable {
  /// The day.
  package var date: CivilDate
  /// The seconds since midnight by the clock, from 0 to 86399.
  package var secondOfDay: Int
  /// The microseconds of the second.
  package var microsecond: Int
  /// The offset from UTC.
  package var offset: TimeZoneOffset

  /// The time as `14:02`.
  package var hourAndMinute: String {
    "\(CivilDate.twoDigits(secondOfDay / 3_600)):\(CivilDate.twoDigits(secondOfDay / 60 % 60))"
  }

  /// The time as `14:02:11`.
  package var clock: String { "\(hourAndMinute):\(CivilDate.twoDigits(secondOfDay % 60))" }

  /// The moment to the microsecond, as `2026-11-01T14:02:11.000250+01:00` (RFC 3339).
  package var precise: String {
    let digits = String(microsecond)
    let fraction = String(repeating: "0", count: 6 - digits.count) + digits
    return "\(date)T\(clock).\(fraction)\(offset.text)"
  }
}

/// Calendar and clock in a time zone.
///
/// The calendar is right across changes to and from daylight saving time: a day has 23 or 25 hours then, a local time
/// can occur twice or never.
package struct LocalCalendar: Sendable {
  private let zone: any TimeZoneRules

  /// The calendar of a time zone.
  package init(_ zone: any TimeZoneRules) {
    self.zone = zone
  }

  /// The moment as local clocks show it.
  package func localTime(of instant: HistoryInstant) -> LocalTime {
    let second = instant.microseconds.floored(by: HistoryInstant.second)
    let offset = zone.offset(at: second)
    let local = second + Int64(offset.seconds)
    let day = local.floored(by: 86_400)
    return LocalTime(
      date: CivilDate(daysSince1970: Int(day)), secondOfDay: Int(local - day * 86_400),
      microsecond: Int(instant.microseconds - second * HistoryInstant.second), offset: offset)
  }

  /// The first moment at which local clocks show the time. If they never do, the moment at which they skip it.
  ///
  /// - Parameter secondOfDay: The seconds since midnight by the clock.
  package func instant(_ date: CivilDate, secondOfDay: Int = 0) -> HistoryInstant {
    let local = Int64(date.daysSince1970) * 86_400 + Int64(secondOfDay)
    // No zone changes its clocks twice within two days.
    let offsets = [local - 86_400, local + 86_400].map { Int64(zone.offset(at: $0).seconds) }
    let fitting = offsets.map { local - $0 }.filter { $0 + Int64(zone.offset(at: $0).seconds) == local }
    let second =
      fitting.min() ?? change(from: local - max(offsets[0], offsets[1]), to: local - min(offsets[0], offsets[1]))
    return HistoryInstant(microseconds: second * HistoryInstant.second)
  }

  /// The first moment of a day.
  package func start(of date: CivilDate) -> HistoryInstant { instant(date) }

  /// The window as parts in each of which the offset stays the same.
  package func parts(of window: Range<HistoryInstant>) -> [(window: Range<HistoryInstant>, offset: TimeZoneOffset)] {
    var parts: [(window: Range<HistoryInstant>, offset: TimeZoneOffset)] = []
    var start = window.lowerBound
    while start < window.upperBound {
      let offset = zone.offset(at: start.microseconds.floored(by: HistoryInstant.second))
      let end = nextChange(after: start, before: window.upperBound)
      parts.append((start..<end, offset))
      start = end
    }
    return parts
  }

  /// The first moment with another offset, or the limit.
  private func nextChange(after start: HistoryInstant, before limit: HistoryInstant) -> HistoryInstant {
    let last = limit.microseconds.floored(by: HistoryInstant.second)
    var second = start.microseconds.floored(by: HistoryInstant.second)
    let offset = zone.offset(at: second)
    while second < last {
      let next = min(last, second + 86_400)
      if zone.offset(at: next) != offset {
        let found = HistoryInstant(microseconds: change(from: second, to: next) * HistoryInstant.second)
        return min(found, limit)
      }
      second = next
    }
    return limit
  }

  /// The first second whose offset is not that of the first, between two seconds with different offsets.
  private func change(from first: Int64, to last: Int64) -> Int64 {
    let offset = zone.offset(at: first)
    var (low, high) = (first, last)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if zone.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }
}

extension Int64 {
  /// The quotient, rounded down also for negative numbers.
  package func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

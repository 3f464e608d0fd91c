package import History
internal import PathModel

/// A moment in the words that people use for `--since` and `--until`: `7d`, `yesterday`, `2026-11-01`, `14:30`.
package enum TimeWord: Hashable, Sendable {
  /// The present.
  case now
  /// So many microseconds before the present.
  case ago(microseconds: Int64)
  /// The same local time so many days before.
  case daysAgo(Int)
  /// The same local time so many months before.
  case monthsAgo(Int)
  /// A local time of the day that lies so many days before today; `nil` for the whole day.
  case relativeDay(daysAgo: Int, secondOfDay: Int?)
  /// A local time of the latest such day of the week, from 0 for Monday; today counts.
  case weekday(Int, secondOfDay: Int?)
  /// A local time of a day, or the whole day.
  case day(CivilDate, secondOfDay: Int?)
  /// A month, given by its first day.
  case month(CivilDate)
  /// A year.
  case year(Int)
  /// An exact moment.
  case instant(HistoryInstant)

  /// The end of a window at which the word stands.
  package enum Bound: Hashable, Sendable {
    /// `--since`: a day, month or year begins the window with its first moment.
    case since
    /// `--until`: a day, month or year belongs to the window as a whole.
    case until
  }

  /// The moment that the word means.
  package func instant(_ bound: Bound, now: HistoryInstant, _ calendar: LocalCalendar) -> HistoryInstant {
    let today = calendar.localTime(of: now)
    switch self {
    case .now: return now
    case .instant(let instant): return instant
    case .ago(let microseconds): return now.advanced(by: -microseconds)
    case .daysAgo(let days): return calendar.same(today, on: today.date.advanced(byDays: -days))
    case .monthsAgo(let months): return calendar.same(today, on: today.date.advanced(byMonths: -months))
    case .relativeDay(let days, let second):
      return calendar.instant(bound, today.date.advanced(byDays: -days), second)
    case .weekday(let weekday, let second):
      return calendar.instant(bound, today.date.advanced(byDays: -((today.date.weekday - weekday + 7) % 7)), second)
    case .day(let date, let second): return calendar.instant(bound, date, second)
    case .month(let first):
      return calendar.start(of: bound == .since ? first : first.advanced(byMonths: 1))
    case .year(let year):
      let first = CivilDate(year: bound == .since ? year : year + 1, month: 1, day: 1)
      return first.map { calendar.start(of: $0) } ?? now
    }
  }
}

extension LocalCalendar {
  /// The time of day of `time` on another day.
  fileprivate func same(_ time: LocalTime, on date: CivilDate) -> HistoryInstant {
    instant(date, secondOfDay: time.secondOfDay).advanced(by: Int64(time.microsecond))
  }

  /// A time of a day, or that end of the whole day which belongs to the bound.
  fileprivate func instant(_ bound: TimeWord.Bound, _ date: CivilDate, _ secondOfDay: Int?) -> HistoryInstant {
    if let secondOfDay { return instant(date, secondOfDay: secondOfDay) }
    return start(of: bound == .since ? date : date.advanced(byDays: 1))
  }
}

internal import SystemIO

/// A day of the Gregorian calendar, without a time zone.
package struct CivilDate: Hashable, Sendable {
  /// The year, such as 2026.
  package var year: Int
  /// The month, from 1 to 12.
  package var month: Int
  /// The day of the month, from 1 on.
  package var day: Int

  /// The day; `nil` when the calendar has none of these numbers, or the year is not from 1970 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.init(daysSince1970: SystemCalendar.daysSince1970(year: year, month: month, day: day))
    guard self.day == day else { return nil }
  }

  /// The day so many days after 1970-01-01.
  package init(daysSince1970 days: Int) {
    (year, month, day) = SystemCalendar.date(daysSince1970: days)
  }

  /// The days from 1970-01-01 to this day.
  package var daysSince1970: Int { SystemCalendar.daysSince1970(year: year, month: month, day: day) }

  /// The day some days later; earlier if they are negative.
  package func advanced(byDays days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }

  /// The same day some months later, or the last day of that month if it is shorter.
  package func advanced(byMonths months: Int) -> CivilDate {
    let last = SystemCalendar.daysSince1970(year: year, month: month + months + 1, day: 0)
    let same = SystemCalendar.daysSince1970(year: year, month: month + months, day: day)
    return CivilDate(daysSince1970: min(last, same))
  }

  /// The day of the week, from 0 for Monday to 6 for Sunday.
  package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 }

  /// The first day of the week, a Monday.
  package var startOfWeek: CivilDate { advanced(byDays: -weekday) }

  /// The English names of the days of the week, from Monday on.
  package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  /// The English names of the months.
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The name of the month in three letters.
  package var monthName: String { String(Self.months[month - 1].prefix(3)) }
  /// The name of the day of the week in three letters.
  package var weekdayName: String { String(Self.weekdays[weekday].prefix(3)) }
}

extension CivilDate: Comparable, CustomStringConvertible {
  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The day as `2026-11-01`.
  package var description: String { "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))" }

  /// A number from 0 to 99 in two digits.
  package static func twoDigits(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

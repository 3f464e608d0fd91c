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
    guard (1970...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    self.init(unchecked: (year, month, day))
    guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
  }

  private init(unchecked parts: (year: Int, month: Int, day: Int)) {
    (year, month, day) = parts
  }

  /// The day so many days after 1970-01-01.
  ///
  /// The year is counted from March, so that the day of a leap year is its last (Howard Hinnant, "chrono-compatible
  /// low-level date algorithms").
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days from 1970-01-01 to this day.
  package var daysSince1970: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day some days later; earlier if they are negative.
  package func advanced(byDays days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }

  /// The same day some months later, or the last day of that month if it is shorter.
  package func advanced(byMonths months: Int) -> CivilDate {
    let count = year * 12 + month - 1 + months
    let (year, month) = (count / 12, count % 12 + 1)
    let length = CivilDate(unchecked: (month == 12 ? year + 1 : year, month % 12 + 1, 1)).daysSince1970
    let first = CivilDate(unchecked: (year, month, 1))
    return first.advanced(byDays: min(day, length - first.daysSince1970) - 1)
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

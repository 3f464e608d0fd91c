internal import CLinux
internal import Glibc

/// The Gregorian calendar of the C library, in UTC.
package enum SystemCalendar {
  /// The day so many days after 1970-01-01; that day itself beyond the years that the C library knows.
  package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    var moment = time_t(days * 86_400)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&moment, &parts) != nil else { return (1970, 1, 1) }
    return unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
  }

  /// The days from 1970-01-01 to a day. Month 13 is January of the next year, and day 0 is the last one of the month
  /// before.
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(year - 1900)
    unsafe parts.tm_mon = Int32(month - 1)
    unsafe parts.tm_mday = Int32(day)
    return Int(unsafe timegm(&parts)) / 86_400
  }
}

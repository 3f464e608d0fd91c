internal import CLinux
internal import Glibc

/// The time of day, for people.
package enum WallClock {
  /// Microseconds since 1970-01-01 00:00:00 UTC.
  package static func microseconds() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// The UTC time of a moment as `20260131-235959`, for names of files.
  package static func compactUTC(microseconds: Int64) -> String {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let fields = unsafe fields(of: parts)
    return fields[..<3].joined() + "-" + fields[3...].joined()
  }

  /// The present local time as `2026-01-31 23:59:59`.
  package static func localTime() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&now, &parts)
    let fields = unsafe fields(of: parts)
    return fields[..<3].joined(separator: "-") + " " + fields[3...].joined(separator: ":")
  }

  /// The date and the time of day from the year to the second, each in two digits or more.
  private static func fields(of parts: tm) -> [String] {
    unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
  }
}

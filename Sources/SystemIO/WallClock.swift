internal import CLinux
internal import Glibc

/// The time of day, for people.
package enum WallClock {
  /// The present local time as `2026-01-31 23:59:59`.
  package static func localTime() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&now, &parts)
    let fields = unsafe [
      parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return fields[..<3].joined(separator: "-") + " " + fields[3...].joined(separator: ":")
  }
}

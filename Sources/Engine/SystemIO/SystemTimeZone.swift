internal import CLinux
internal import Glibc

/// The time zone of the process: that of `TZ`, otherwise that of the machine.
package enum SystemTimeZone {
  /// The seconds by which local time is ahead of UTC at a moment, and the name of the local time then, such as `CET`.
  ///
  /// - Parameter second: Seconds since 1970 UTC. Beyond the years that the C library knows, the offset is 0.
  package static func offset(at second: Int64) -> (seconds: Int, abbreviation: String) {
    var moment = time_t(second)
    var parts = unsafe tm()
    guard unsafe localtime_r(&moment, &parts) != nil else { return (0, "UTC") }
    let name = unsafe parts.tm_zone.map { unsafe String(cString: $0) }
    return (unsafe parts.tm_gmtoff, name ?? "")
  }

  /// The name of the zone, such as `Europe/Berlin`: the value of `TZ`, otherwise the target of `/etc/localtime`. `nil`
  /// when neither gives one.
  package static var name: String? {
    if let variable = Environment.value("TZ") {
      let name = variable.drop { $0 == ":" }
      return name.isEmpty ? "UTC" : String(name)
    }
    guard let target = Files.linkTarget("/etc/localtime") else { return nil }
    let parts = target.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo"), folder + 1 < parts.count else { return nil }
    return parts[(folder + 1)...].joined(separator: "/")
  }
}

internal import CLinux
internal import CSystemd

/// The service manager that started this process, if there is one: systemd, or another that speaks sd_notify(3).
package enum ServiceManager {
  /// Returns the sockets that the service manager hands over (sd_listen_fds(3)), if they are for this process, and
  /// removes the variables from the environment.
  package static func receiveSockets() -> [Int32] {
    let count = sd_listen_fds(1)
    // They begin with SD_LISTEN_FDS_START.
    return count > 0 ? (0..<count).map { 3 + $0 } : []
  }

  /// Whether the descriptor is a Unix stream socket that listens.
  package static func isListeningSocket(_ descriptor: Int32) -> Bool {
    // SOCK_STREAM
    sd_is_socket_unix(descriptor, 1, 1, nil, 0) > 0
  }

  /// The time without ``alive()`` after which the process is regarded as dead; `nil` without a watchdog.
  package static func watchdogTime() -> Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// Whether a service manager accepts notifications.
  package static var isPresent: Bool { unsafe clinux_environment_value("NOTIFY_SOCKET") != nil }

  /// Reports that the process is ready, with its status.
  package static func ready(_ status: String) { notify("READY=1\nSTATUS=\(line(status))") }
  /// Reports the status.
  package static func status(_ status: String) { notify("STATUS=\(line(status))") }
  /// Reports a reload of the configuration that began at the moment of CLOCK_MONOTONIC.
  package static func reloading(sinceMicroseconds moment: Int64) {
    notify("RELOADING=1\nMONOTONIC_USEC=\(moment)")
  }
  /// Reports that the process ends.
  package static func stopping() { notify("STOPPING=1") }
  /// Reports that the process is alive.
  package static func alive() { notify("WATCHDOG=1") }

  private static func line(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }.joined(separator: " ")
  }

  private static func notify(_ state: String) {
    // Without a service manager this does nothing, and a failure has nobody to be reported to.
    _ = unsafe sd_notify(0, state)
  }
}

internal import CLinux
internal import CSystemd

/// The service manager that started this process, as far as there is one: systemd, or whatever speaks sd_notify(3).
package enum ServiceManager {
  /// The sockets it hands over (sd_listen_fds(3)), if they are for this process; the variables are taken out of the
  /// environment.
  package static func takeSockets() -> [Int32] {
    let count = sd_listen_fds(1)
    // They begin with SD_LISTEN_FDS_START.
    return count > 0 ? (0..<count).map { 3 + $0 } : []
  }

  /// Whether the descriptor is a Unix stream socket that listens.
  package static func isListeningSocket(_ descriptor: Int32) -> Bool {
    // SOCK_STREAM
    sd_is_socket_unix(descriptor, 1, 1, nil, 0) > 0
  }

  /// After how long without ``alive()`` it takes us for dead; `nil` when it does not look.
  package static func watchdogTime() -> Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// Whether there is one that wants to hear from us.
  package static var isPresent: Bool { unsafe clinux_environment_value("NOTIFY_SOCKET") != nil }

  /// We do what we are there for, and how it is going.
  package static func ready(_ status: String) { notify("READY=1\nSTATUS=\(line(status))") }
  /// How it is going.
  package static func status(_ status: String) { notify("STATUS=\(line(status))") }
  /// We read the configuration again, since the moment of CLOCK_MONOTONIC.
  package static func reloading(sinceMicroseconds moment: Int64) {
    notify("RELOADING=1\nMONOTONIC_USEC=\(moment)")
  }
  /// We end.
  package static func stopping() { notify("STOPPING=1") }
  /// We live.
  package static func alive() { notify("WATCHDOG=1") }

  private static func line(_ text: String) -> String {
    text.split(separator: "\n").joined(separator: " ")
  }

  private static func notify(_ state: String) {
    // Without a service manager it does nothing; when the manager does not listen there is nobody to tell.
    _ = unsafe sd_notify(0, state)
  }
}

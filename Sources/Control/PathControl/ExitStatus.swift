package import Programs

/// The exit statuses of `pathctl` beside those of all programs.
extension ExitStatus {
  /// Yes: there is a path, or the verb has succeeded.
  package static let yes = success
  /// The answer cannot be known: the service, the kernel or a name server gave none.
  package static let cannotKnow = unavailable
  /// The time is over, with the status that timeout(1) uses.
  package static let timedOut: Int32 = 124
  /// The command exists but cannot be run, with the status that shells use.
  package static let cannotRun: Int32 = 126
  /// There is no such command, with the status that shells use.
  package static let noSuchCommand: Int32 = 127
  /// The condition has no answer (`ExecCondition=`, systemd.service(5)): the unit fails.
  package static let conditionFailed: Int32 = 255

  /// The status after a signal, as in shells: 130 for SIGINT, 143 for SIGTERM.
  package static func signal(_ number: Int32) -> Int32 { 128 + number }
}

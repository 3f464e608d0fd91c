/// The exit statuses of `pathctl`. They are part of its interface: scripts and units test them.
package enum ExitStatus {
  /// Yes: there is a path, or the command did what it was asked.
  package static let yes: Int32 = 0
  /// No: there is no path.
  package static let no: Int32 = 1
  /// The command line was wrong (`EX_USAGE`, sysexits.h).
  package static let usage: Int32 = 64
  /// The answer cannot be known, as the kernel or a name server could not be asked (`EX_UNAVAILABLE`).
  package static let cannotKnow: Int32 = 69
  /// The time is over, as timeout(1) says it.
  package static let timedOut: Int32 = 124
  /// The command is there but cannot be run, as shells say it.
  package static let cannotRun: Int32 = 126
  /// There is no such command, as shells say it.
  package static let noSuchCommand: Int32 = 127
  /// A condition that can be neither yes nor no (`ExecCondition=`, systemd.service(5)): the unit fails.
  package static let conditionFailed: Int32 = 255

  /// Ended by a signal, as shells count it: 130 for SIGINT, 143 for SIGTERM.
  package static func signal(_ number: Int32) -> Int32 { 128 + number }
}

/// The exit statuses that all programs have in common. They are part of their interfaces: scripts and units test them.
package enum ExitStatus {
  /// The program has done its work.
  package static let success: Int32 = 0
  /// The answer is no: there is no path, nothing was recorded, the configuration has mistakes.
  package static let no: Int32 = 1
  /// The command line was wrong (`EX_USAGE`, sysexits.h).
  package static let usage: Int32 = 64
  /// Another program, the kernel or a file is not there to answer (`EX_UNAVAILABLE`).
  package static let unavailable: Int32 = 69
}

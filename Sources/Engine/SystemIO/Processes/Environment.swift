internal import CLinux

/// The environment of the process.
package enum Environment {
  /// The value of a variable; `nil` when it is not set. It is always `nil` in a process with more rights than the user
  /// who started it, such as a setuid program (secure_getenv(3)), because a stranger may have set the variables.
  package static func value(_ name: String) -> String? {
    unsafe clinux_environment_value(name).map { unsafe String(cString: $0) }
  }
}

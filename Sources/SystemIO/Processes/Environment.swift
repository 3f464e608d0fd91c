internal import CLinux

/// The environment of the process.
package enum Environment {
  /// The value of a variable; `nil` when it is not set, and always in a process that has more rights than whoever
  /// started it, such as a setuid program (secure_getenv(3)): there the variables are a stranger's.
  package static func value(_ name: String) -> String? {
    unsafe clinux_environment_value(name).map { unsafe String(cString: $0) }
  }
}

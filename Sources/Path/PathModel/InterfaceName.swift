/// The names that the kernel accepts for interfaces.
package enum InterfaceName {
  /// The longest name in bytes: `IFNAMSIZ` with its final NUL is 16.
  package static let longest = 15

  /// The reason why no interface can have the name, in words; `nil` when one can.
  ///
  /// The rule is the kernel's `dev_valid_name()`, except for control characters. The kernel accepts them, but they
  /// would garble every text that shows the name.
  package static func problem(with name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.utf8.count > longest { return "it is longer than \(longest) bytes" }
    if name == "." || name == ".." { return "the kernel refuses this name" }
    for scalar in name.unicodeScalars {
      if scalar == "/" || scalar == ":" { return "it contains '\(scalar)'" }
      if scalar.properties.isWhitespace { return "it contains white space" }
      if scalar.properties.generalCategory == .control { return "it contains a control character" }
    }
    return nil
  }
}

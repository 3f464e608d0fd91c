/// The texts that can stand in a place of a command line, for shells that complete it.
package enum Completion: Hashable, Sendable {
  /// One of these words.
  case words([String])
  /// The words of a requirement, with commas between them.
  case requirement
  /// The interfaces of the machine.
  case interface
  /// Files.
  case file
  /// Hosts that the shell knows.
  case host
  /// The programs of the machine.
  case program
  /// The verbs.
  case verb
  /// The fields that can be overridden.
  case overrideField
  /// The values that the field before it can be set to.
  case overrideValue
  /// No candidates: only the user knows the text.
  case nothing
}

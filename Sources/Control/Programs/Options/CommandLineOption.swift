/// An option of a command line, for the parser, the help and messages.
///
/// `Effect` is the program's own type for the effects of its options, usually an enum: in a `switch` over it, the
/// compiler reports a forgotten option. It has no `Hashable` constraint, because a conformance would be looked up at
/// run time.
package struct CommandLineOption<Effect: Sendable>: Sendable {
  /// The effect, for the program.
  package var effect: Effect
  /// The word that is typed, with its dashes.
  package var name: String
  /// Its short form of one letter, with its dash.
  package var short: String?
  /// The word that it had in an earlier version, with its dashes. It is understood, and shown nowhere.
  package var formerName: String?
  /// Its value; `nil` when it takes none.
  package var value: Placeholder?
  /// A correct value, for messages.
  package var example: String
  /// Its effect, in one line.
  package var summary: String

  /// An option that takes no value.
  package init(effect: Effect, name: String, short: String? = nil, summary: String) {
    (self.effect, self.name, self.short, self.summary) = (effect, name, short, summary)
    (value, example) = (nil, "")
  }

  /// An option that takes a value.
  package init(
    effect: Effect, name: String, short: String? = nil, formerName: String? = nil, value: Placeholder,
    example: String, summary: String
  ) {
    (self.effect, self.name, self.short, self.summary) = (effect, name, short, summary)
    self.formerName = formerName
    (self.value, self.example) = (value, example)
  }

  /// The option as in a usage line: `--settle TIME`.
  package var usage: String { value.map { "\(name) \($0.name)" } ?? name }

  /// The option as in a table of help: `-h, --help`.
  package var label: String { (short.map { "\($0), " } ?? "") + usage }

  /// A correct use, for messages: `--settle 200ms`.
  package var exampleOfUse: String { value == nil ? name : "\(name) \(example)" }

  /// The error for a value that the program cannot take.
  ///
  /// - Parameters:
  ///   - kind: The kind of value that is needed, such as `time`.
  ///   - reason: The reason why the value is not of that kind, without a full stop.
  package func rejection(of value: String, as kind: String, because reason: String) -> UsageError {
    UsageError("'\(value)' is no \(kind) for \(name): \(reason). Write for example \(exampleOfUse).")
  }
}

extension CommandLineOption: Equatable where Effect: Equatable {}
extension CommandLineOption: Hashable where Effect: Hashable {}

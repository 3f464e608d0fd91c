/// An option of a command line: parsing, help and messages come from it.
///
/// `Effect` is the program's own type for what its options do, most likely an enum: a program that switches over it
/// is told by the compiler which option it forgot. It need not be hashable: a constraint on it would be looked up when
/// the program runs.
package struct CommandLineOption<Effect: Sendable>: Sendable {
  /// What it does, for the program.
  package var effect: Effect
  /// What is typed, with its dashes.
  package var name: String
  /// One letter that stands for it, with its dash.
  package var short: String?
  /// What its value is called; `nil` when it takes none.
  package var value: String?
  /// A correct value, for messages.
  package var example: String
  /// What it does, in one line.
  package var summary: String

  /// An option that takes no value.
  package init(effect: Effect, name: String, short: String? = nil, summary: String) {
    (self.effect, self.name, self.short, self.summary) = (effect, name, short, summary)
    (value, example) = (nil, "")
  }

  /// An option that takes a value.
  package init(
    effect: Effect, name: String, short: String? = nil, value: String, example: String, summary: String
  ) {
    (self.effect, self.name, self.short, self.summary) = (effect, name, short, summary)
    (self.value, self.example) = (value, example)
  }

  /// The option as in a usage line: `--settle TIME`.
  package var usage: String { value.map { "\(name) \($0)" } ?? name }

  /// The option as in a table of help: `-h, --help`.
  package var label: String { (short.map { "\($0), " } ?? "") + usage }

  /// A correct use, for messages: `--settle 200ms`.
  package var exampleOfUse: String { value == nil ? name : "\(name) \(example)" }

  /// The error for a value that the program cannot take.
  ///
  /// - Parameters:
  ///   - kind: What the value should have been, such as `time`.
  ///   - reason: Why it is none, without a full stop.
  package func rejection(of value: String, as kind: String, because reason: String) -> UsageError {
    UsageError("'\(value)' is no \(kind) for \(name): \(reason). Write for example \(exampleOfUse).")
  }
}

extension CommandLineOption: Equatable where Effect: Equatable {}
extension CommandLineOption: Hashable where Effect: Hashable {}

/// An option of a command line, for the parser, the help, messages and shells.
///
/// `Target` is the result of the command line, such as a verb: the option writes its value there.
package struct Option<Target>: Sendable {
  /// The word that is typed, with its dashes.
  package var name: String
  /// Its short form of one letter, with its dash.
  package var short: String?
  /// The word that it had in an earlier version, with its dashes. It is understood, and shown nowhere.
  package var formerName: String?
  /// Its value; `nil` when it takes none.
  package var placeholder: Placeholder?
  /// A correct value, for messages.
  package var example: String
  /// Its effect, in one line.
  package var summary: String
  /// Writes the value, or throws an error that names the mistake in it.
  package var apply: @Sendable (inout Target, OptionValue) throws(UsageError) -> Void

  /// An option that takes no value.
  package init(
    _ name: String, short: String? = nil, summary: String, apply: @escaping @Sendable (inout Target) -> Void
  ) {
    (self.name, self.short, self.summary) = (name, short, summary)
    (placeholder, example) = (nil, "")
    self.apply = { target, _ in apply(&target) }
  }

  /// An option that takes a value.
  package init(
    _ name: String, formerName: String? = nil, _ placeholder: Placeholder, example: String, summary: String,
    apply: @escaping @Sendable (inout Target, OptionValue) throws(UsageError) -> Void
  ) {
    (self.name, self.formerName, self.summary) = (name, formerName, summary)
    (self.placeholder, self.example, self.apply) = (placeholder, example, apply)
  }

  /// The option as in a usage line: `--settle TIME`.
  package var usage: String { placeholder.map { "\(name) \($0.name)" } ?? name }

  /// The option as in a table of help: `-h, --help`.
  package var label: String { (short.map { "\($0), " } ?? "") + usage }

  /// A correct use, for messages: `--settle 200ms`.
  package var exampleOfUse: String { placeholder == nil ? name : "\(name) \(example)" }

  /// Whether a user can call it by the word.
  package func isCalled(_ word: String) -> Bool { name == word || short == word || formerName == word }

  /// The option without its effect, for lists of options of several targets.
  package var shown: Option<Void> {
    var option = Option<Void>(name, short: short, summary: summary) { _ in }
    (option.formerName, option.placeholder, option.example) = (formerName, placeholder, example)
    return option
  }
}

/// The value of an option as the user has typed it.
package struct OptionValue: Hashable, Sendable {
  /// The text.
  package let text: String
  /// The name of the option, with its dashes.
  package let option: String
  private let correctUse: String

  /// The value of an option.
  init<Target>(_ text: String, of option: Option<Target>) {
    (self.text, self.option, correctUse) = (text, option.name, option.exampleOfUse)
  }

  /// The error for a value that the program cannot take.
  ///
  /// - Parameters:
  ///   - kind: The kind of value that is needed, such as `time`.
  ///   - reason: The reason why the value is not of that kind, without a full stop.
  package func rejected(as kind: String, because reason: String) -> UsageError {
    UsageError("'\(text)' is no \(kind) for \(option): \(reason). Write for example \(correctUse).")
  }
}

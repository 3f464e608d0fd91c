/// The command lines of a program, for their completion.
package struct CompletedProgram: Hashable, Sendable {
  /// A verb, or the command line of a program without verbs.
  package struct Form: Hashable, Sendable {
    /// The word that is typed; empty for the command line as long as no verb is named.
    package var name: String
    /// Other words for it, which are understood and not offered.
    package var synonyms: [String]
    /// Its effect, in one line.
    package var summary: String
    /// The operands, in order.
    package var operands: [Completion]
    /// Whether a command stands behind `--`.
    package var takesCommand: Bool
    /// The options it takes.
    package var options: [DocumentedOption]
    /// The names of options that have no meaning behind a first operand, by that operand.
    package var refusedOptions: [String: Set<String>]

    /// A form of the command line.
    package init(
      name: String = "", synonyms: [String] = [], summary: String = "", operands: [Completion],
      takesCommand: Bool = false, options: [DocumentedOption], refusedOptions: [String: Set<String>] = [:]
    ) {
      self.name = name
      self.synonyms = synonyms
      self.summary = summary
      self.operands = operands
      self.takesCommand = takesCommand
      self.options = options
      self.refusedOptions = refusedOptions
    }

    /// The option of that name or letter.
    func option(_ name: String) -> DocumentedOption? {
      options.first { $0.name == name || $0.short == name || $0.formerName == name }
    }
  }

  /// The form without a verb.
  package var plain: Form
  /// The verbs; empty where the program has none.
  package var verbs: [Form]

  /// A program with its forms.
  package init(plain: Form, verbs: [Form] = []) {
    (self.plain, self.verbs) = (plain, verbs)
  }
}

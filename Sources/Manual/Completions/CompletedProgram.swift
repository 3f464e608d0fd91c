package import CommandLineOptions
internal import PathControl

/// A program as shells complete its command lines.
package struct CompletedProgram: Hashable, Sendable {
  /// A verb, or what stands for one where the program has none.
  package struct Form: Hashable, Sendable {
    /// What is typed; empty for the command line as long as no verb is named.
    package var name: String
    /// What it does, in one line.
    package var summary: String
    /// What it takes, in order.
    package var operands: [Completion]
    /// Whether a command stands behind `--`.
    package var takesCommand: Bool
    /// The options it takes.
    package var options: [DocumentedOption]

    /// The form without what tells it from others that take the same.
    var unnamed: Form { Form(name: "", summary: "", operands: operands, takesCommand: takesCommand, options: options) }
  }

  /// What is typed.
  package var name: String
  /// The verbs, first the form without one.
  package var forms: [Form]

  /// The verbs.
  package var verbs: ArraySlice<Form> { forms.dropFirst() }

  /// Every option once, by its name.
  package var options: [DocumentedOption] {
    var names: Set<String> = []
    return forms.flatMap(\.options).filter { names.insert($0.name).inserted }
  }

  /// The options that take a value, by their names and letters, and what is offered for it.
  var valueOptions: [(names: [String], value: Completion)] {
    options.compactMap { option in
      option.value.map { ([option.name] + [option.short].compactMap(\.self), $0.completion) }
    }
  }

  /// Whether any form takes this.
  func uses(_ wanted: Completion) -> Bool {
    forms.contains { $0.operands.contains(wanted) } || valueOptions.contains { $0.value == wanted }
  }

  /// `pathctl`, from its table of verbs.
  package static let pathctl = CompletedProgram(
    name: "pathctl",
    forms: [
      // Without a verb it does what the first of the table does.
      Form(
        name: "", summary: "", operands: [.verb], takesCommand: false, options: Verb.status.documentedOptions)
    ]
      + Verb.all.map { verb in
        Form(
          name: verb.name, summary: verb.summary,
          operands: verb.operands.map(\.completion), takesCommand: verb.takesCommand,
          options: verb.documentedOptions)
      })

  /// `pathmonitord`, from its table of options.
  package static let pathmonitord = CompletedProgram(
    name: "pathmonitord",
    forms: [Form(name: "", summary: "", operands: [.file], takesCommand: false, options: DocumentedOption.ofDaemon)])
}

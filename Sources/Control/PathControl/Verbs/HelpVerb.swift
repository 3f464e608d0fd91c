internal import PathModel
internal import Programs

extension Verb {
  /// Shows help.
  package static let help = Verb(
    name: "help", operands: [Placeholder("VERB", .verb, isOptional: true)],
    summary: "Show this help, or that of a verb",
    options: [], exits: []
  ) { arguments throws(UsageError) in
    guard let name = arguments.operands.first else { return HelpOrder(nil) }
    return HelpOrder(try Verb.find(name))
  }
}

/// Show help.
package struct HelpOrder: VerbOrder {
  private let verb: Verb?

  /// The order of `pathctl help`; `nil` for help in general.
  package init(_ verb: Verb?) {
    self.verb = verb
  }

  /// Prints the help.
  package func run(_ invocation: Invocation) -> Int32 {
    PathControl.say(verb.map(HelpText.text(for:)) ?? HelpText.text(), ExitStatus.yes)
  }
}

extension Verb {
  /// Shows the version, as `--version` does.
  package static let version = Verb(
    name: "version", summary: "Show the version of pathctl", options: [],
    exits: [Exit(ExitStatus.yes, "it is shown")]
  ) { _ in VersionOrder() }
}

/// Show the version.
package struct VersionOrder: VerbOrder {
  /// The order of `--version`.
  package init() {}

  /// Prints the version.
  package func run(_ invocation: Invocation) -> Int32 {
    PathControl.say("pathctl \(PathMonitorVersion.current)\n", ExitStatus.yes)
  }
}

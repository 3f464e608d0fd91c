internal import PathModel
package import Programs

/// `pathctl help`, and `--help`: shows help.
package struct HelpVerb: Verb {
  package static let name = "help"
  package static let operands = [Placeholder("VERB", .verb, isOptional: true)]
  package static let summary = "Show this help, or that of a verb"
  package static let exits: [(status: Int32, meaning: String)] = []

  package var invocation = Invocation()
  /// The verb to describe; `nil` for all of the program.
  package private(set) var topic: (any Verb.Type)?

  package init() {}

  /// The help of a verb.
  init(about topic: any Verb.Type) { self.topic = topic }

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    if let word = operands.first { topic = try Verbs.named(word) }
  }

  /// Prints the help.
  package func run() -> Int32 {
    guard let topic else { return PathControl.say(HelpText.text(), ExitStatus.yes) }
    return PathControl.say(HelpText.text(for: topic), ExitStatus.yes)
  }
}

/// `pathctl version`, and `--version`: shows the version.
package struct VersionVerb: Verb {
  package static let name = "version"
  package static let summary = "Show the version of pathctl"
  package static let exits = [(status: ExitStatus.yes, meaning: "it is shown")]

  package var invocation = Invocation()

  package init() {}

  /// Prints the version.
  package func run() -> Int32 {
    PathControl.say("pathctl \(PathMonitorVersion.current)\n", ExitStatus.yes)
  }
}

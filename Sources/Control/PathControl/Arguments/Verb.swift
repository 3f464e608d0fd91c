package import KernelPath
internal import PathModel
package import Programs

/// A verb of `pathctl`: a value with the options and operands of a command line, which runs.
///
/// The parser, the help, the completions and the lists in tests are made of the static members. Each verb has a file of
/// its own; ``Verbs/all`` is their table.
package protocol Verb: CommandSyntax {
  /// The options of its own and those that it shares with other verbs, without those of every verb.
  static var ownOptions: [Option<Self>] { get }
  /// The behaviour in detail, in lines of at most 100 columns.
  static var details: String { get }
  /// The exit statuses with a meaning of their own, which is a phrase; every verb may end with ``ExitStatus/usage``.
  static var exits: [(status: Int32, meaning: String)] { get }
  /// Uses of the verb: a purpose, after which a colon is printed, and the lines that are typed or written.
  static var examples: [(purpose: String, lines: String)] { get }

  /// The values of options that several verbs take.
  var invocation: Invocation { get set }
  /// The verb without options and operands.
  init()
  /// Takes the operands, whose number is right, and the words behind `--` if the verb takes a command. Throws an error
  /// that names the mistake.
  mutating func take(_ operands: [String], command: [String]) throws(UsageError)
  /// Runs the verb, and returns the exit status.
  func run() throws(KernelPathError) -> Int32
}

extension Verb {
  /// The options it takes, in the order of the help.
  package static var options: [Option<Self>] { ownOptions + Option.everywhere }
  /// None.
  package static var ownOptions: [Option<Self>] { [] }
  /// None.
  package static var details: String { "" }
  /// None.
  package static var examples: [(purpose: String, lines: String)] { [] }

  /// Takes nothing.
  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {}

  /// The words of the usage line: the verb, its operands, the given options, and the command if the verb takes one.
  package static func usage(_ options: [String] = []) -> [String] {
    [name] + operands.map(\.usage) + options + (takesCommand ? ["--", "COMMAND", "[ARGUMENT...]"] : [])
  }

  /// The usage line.
  package static var usageLine: String {
    (["pathctl"] + usage(ownOptions.map { "[\($0.usage)]" })).joined(separator: " ")
  }

  /// The exit statuses of verbs that show a path.
  static var exitsOfPath: [(status: Int32, meaning: String)] {
    [
      (ExitStatus.yes, "there is a path"), (ExitStatus.no, "there is none"),
      (ExitStatus.cannotKnow, "it cannot be known"),
    ]
  }

  /// The meaning of `--field`, for the details of verbs that take it.
  static var aboutFields: String {
    """
    --field prints a text as it is, words with spaces between them, everything else as in JSON, and
    nothing where there is no value. FIELD is one of these:
    \(HelpTable.filled(PathField.names.joined(separator: ", "), indentation: 2))
    """
  }

  /// The requirement in an operand.
  static func requirement(_ operand: String) throws(UsageError) -> PathRequirement {
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(operand)
    } catch {
      throw UsageError("\(error). See 'pathctl help \(name)'.")
    }
  }
}

/// The verbs of `pathctl`.
package enum Verbs {
  /// All verbs, in the order of the help.
  package static let all: [any Verb.Type] = [
    StatusVerb.self, WatchVerb.self, WaitVerb.self, RunVerb.self, CheckVerb.self, ExplainVerb.self, InterfacesVerb.self,
    RouteVerb.self, ConnectionsVerb.self, ValidateVerb.self, PortalVerb.self, HistoryVerb.self, OverrideVerb.self,
    HealthVerb.self,
    MetricsVerb.self, ConfigurationVerb.self,
    TargetsVerb.self, HooksVerb.self, HelpVerb.self, VersionVerb.self,
  ]

  /// The verb that a user calls by the word.
  package static func named(_ word: String) throws(UsageError) -> any Verb.Type {
    if let verb = all.first(where: { $0.isCalled(word) }) { return verb }
    let names = all.map { $0.name }
    let known = names + all.flatMap { $0.synonyms }
    throw UsageError(
      """
      there is no verb '\(word)'\(Suggestion.text(for: word, among: known)). \
      The verbs are \(names.joined(separator: ", ")); see 'pathctl help'.
      """)
  }

  /// The verbs as shells complete them. Without a verb `pathctl` runs `status`.
  package static var completed: CompletedProgram { CompletedProgram(plain: StatusVerb.self, verbs: all) }
}

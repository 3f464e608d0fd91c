package import KernelPath
package import Programs

/// A verb of `pathctl`.
///
/// The parser, the help, the manual, the completions and the lists in tests are generated from these values. Each verb
/// has a file of its own, together with its order; ``all`` is the table of the verbs. Options and texts are made each
/// time they are read, so that a program makes those of the verb that it runs alone (row `status`).
package struct Verb: Sendable {
  /// The word that is typed.
  package let name: String
  /// Other words for it, as other programs have them.
  package let synonyms: [String]
  /// Its effect, in one line.
  package let summary: String
  /// The operands, in order.
  package let operands: [Placeholder]
  /// Whether it takes a command behind `--`.
  package let takesCommand: Bool
  private let makeOptions: @Sendable () -> [Option]
  private let makeRefusedOptions: @Sendable () -> [String: [Option]]
  private let makeDetails: @Sendable () -> [HelpBlock]
  private let makeExits: @Sendable () -> [Exit]
  private let makeExamples: @Sendable () -> [Example]
  /// Creates an order from the arguments.
  let prepare: @Sendable (VerbArguments) throws(UsageError) -> any VerbOrder

  /// An exit status and its meaning.
  package struct Exit: Hashable, Sendable {
    /// The exit status.
    package var status: Int32
    /// Its meaning, as a phrase.
    package var meaning: String

    init(_ status: Int32, _ meaning: String) { (self.status, self.meaning) = (status, meaning) }
  }

  /// A use of the verb.
  package struct Example: Hashable, Sendable {
    /// The purpose, as a phrase; a colon is printed after it.
    package var purpose: String
    /// The lines that are typed or written.
    package var lines: String

    init(_ purpose: String, _ lines: String) { (self.purpose, self.lines) = (purpose, lines) }
  }

  /// Creates a verb, and adds the options of every verb to its own.
  ///
  /// - Parameter prepare: Creates an order from the arguments, or throws an error that names the mistake.
  init(
    name: String, synonyms: [String] = [], operands: [Placeholder] = [], takesCommand: Bool = false, summary: String,
    options: @autoclosure @escaping @Sendable () -> [Option],
    refusedOptions: @autoclosure @escaping @Sendable () -> [String: [Option]] = [:],
    details: @autoclosure @escaping @Sendable () -> [HelpBlock] = [],
    exits: @autoclosure @escaping @Sendable () -> [Exit],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    prepare: @escaping @Sendable (VerbArguments) throws(UsageError) -> any VerbOrder
  ) {
    self.name = name
    self.synonyms = synonyms
    self.operands = operands
    self.takesCommand = takesCommand
    self.summary = summary
    makeOptions = options
    makeRefusedOptions = refusedOptions
    makeDetails = details
    makeExits = exits
    makeExamples = examples
    self.prepare = prepare
  }

  /// The options it takes, in the order of the help.
  package var options: [Option] { makeOptions() + Option.everywhere }
  /// The options that have no meaning behind a first operand, by that operand.
  package var refusedOptions: [String: [Option]] { makeRefusedOptions() }
  /// The behaviour in detail.
  package var details: [HelpBlock] { makeDetails() }
  /// The exit statuses with a meaning of their own; every verb may end with ``ExitStatus/usage``.
  package var exits: [Exit] { makeExits() }
  /// Examples of its use.
  package var examples: [Example] { makeExamples() }

  /// All verbs, in the order of the help.
  package static let all = [
    status, watch, wait, run, check, explain, interfaces, route, history, override, health, metrics, configuration,
    targets, hooks, help, version,
  ]

  /// The verb with the name or the synonym.
  package static func named(_ name: String) -> Verb? {
    all.first { $0.name == name } ?? all.first { $0.synonyms.contains(name) }
  }

  /// The words that stand for the command behind `--` in usage lines.
  private static let command = ["--", "COMMAND", "[ARGUMENT...]"]

  /// The words of the usage line: the verb, its operands, the given options, and the command if the verb takes one.
  package func usage(_ options: [String] = []) -> [String] {
    [name] + operands.map(\.usage) + options + (takesCommand ? Self.command : [])
  }

  /// The options that not every verb takes.
  package var ownOptions: [Option] { options.filter { $0.effect != .help && $0.effect != .version } }

  /// The details, and a paragraph about the exit statuses if the verb has any of its own.
  package var help: [HelpBlock] {
    let details =
      synonyms.isEmpty ? details : details + [.text("'\(synonyms.joined(separator: "' and '"))' is the same.")]
    guard !exits.isEmpty else { return details }
    return details + [.text("Exit status " + exits.map { "\($0.status): \($0.meaning)" }.joined(separator: "; ") + ".")]
  }
}

/// Two verbs are equal if their names are.
extension Verb: Hashable {
  /// Whether two verbs have the same name.
  package static func == (one: Verb, other: Verb) -> Bool { one.name == other.name }

  /// Feeds the name to a hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension [Verb.Exit] {
  /// The exit statuses of verbs that show a path.
  static let ofPath = [
    Verb.Exit(ExitStatus.yes, "there is a path"), Verb.Exit(ExitStatus.no, "there is none"),
    Verb.Exit(ExitStatus.cannotKnow, "it cannot be known"),
  ]
}

extension [HelpBlock] {
  /// The meaning of `--field`, for verbs that take it.
  static let ofField: [HelpBlock] = [
    .text(
      """
      --field prints a text as it is, words with spaces between them, everything else as in JSON, and nothing where \
      there is no value. FIELD is one of these:
      """),
    .apart(PathField.names.joined(separator: ", ")),
  ]
}

/// A verb with its arguments, ready to run.
package protocol VerbOrder: Hashable, Sendable {
  /// Runs the verb, and returns the exit status.
  func run(_ invocation: Invocation) throws(KernelPathError) -> Int32
}

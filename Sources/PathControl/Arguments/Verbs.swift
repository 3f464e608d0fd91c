/// The one table of verbs and options: parsing, help and messages come from it.
package struct Verb: Hashable, Sendable {
  /// What is typed.
  package var name: String
  /// The operands in the usage line, such as `HOST`; empty when it takes none.
  package var operands: [String]
  /// What it does, in one line.
  package var summary: String
  /// What else there is to know.
  package var details: String

  /// The options of the verb; those of ``Option/everywhere`` are all there are so far.
  package var options: [Option] { Option.everywhere }

  /// The verb with the name.
  package static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

  /// Shows the path; what `pathctl` alone does.
  package static let status = Verb(
    name: "status", operands: [], summary: "Show the network path as it is now (default)",
    details: """
      Exit status 0: there is a path; 1: there is none; 69: it cannot be known.
      A path means that the kernel has a usable route now, not that the Internet answers.
      """)
  /// Follows the path.
  package static let watch = Verb(
    name: "watch", operands: [], summary: "Show the path now and whenever it changes",
    details: """
      On a terminal the picture is redrawn in place. Otherwise each update is a line.
      A change is shown when it has settled: after 50 ms for a gain, 200 ms for a loss, 1 s at most.
      """)
  /// Tells how the verdict came about.
  package static let explain = Verb(
    name: "explain", operands: [], summary: "Show how the verdict came about, lookup by lookup",
    details: "Put this into a bug report. Exit status as for status.")
  /// Lists the interfaces.
  package static let interfaces = Verb(
    name: "interfaces", operands: [], summary: "List the interfaces with their types, addresses and use",
    details: "Exit status 0 unless they cannot be read (69).")
  /// Shows the path to one host.
  package static let route = Verb(
    name: "route", operands: ["HOST"], summary: "Show the path to a host name or address",
    details: """
      No packet is sent to the host; a name is looked up with the system's name servers.
      Exit status as for status.
      """)
  /// Shows help.
  package static let help = Verb(
    name: "help", operands: ["[VERB]"], summary: "Show this help, or that of a verb", details: "")

  /// All verbs, in the order of the help.
  package static let all = [status, watch, explain, interfaces, route, help]
}

/// An option of the command line.
package struct Option: Hashable, Sendable {
  /// What it does, for the parser.
  package enum Effect: Hashable, Sendable {
    case json, settle, probe, direct, help, version
  }

  /// What it does, for the parser.
  package var effect: Effect
  /// What is typed, with its dashes.
  package var name: String
  /// One letter that stands for it, with its dash.
  package var short: String?
  /// What its value is called; `nil` when it takes none.
  package var value: String?
  /// A correct value, for messages.
  package var example: String = ""
  /// What it does, in one line.
  package var summary: String

  /// The options that every verb takes, in the order of the help.
  package static let everywhere = [
    Option(effect: .json, name: "--json", summary: "Print JSON, one object a line"),
    Option(
      effect: .settle, name: "--settle", value: "TIME", example: "200ms",
      summary: "Wait until a change has rested for so long; 0 = show it at once"),
    Option(
      effect: .probe, name: "--probe", value: "ADDRESS", example: "10.0.0.1",
      summary: "An address whose route stands for the Internet; may be repeated"),
    Option(effect: .direct, name: "--direct", summary: "Ask the kernel instead of the service"),
    Option(effect: .help, name: "--help", short: "-h", summary: "Show help"),
    Option(effect: .version, name: "--version", short: "-V", summary: "Show the version"),
  ]

  /// The option as in a usage line.
  package var usage: String { value.map { "\(name) \($0)" } ?? name }
}

internal import Glibc
internal import History
internal import PathModel
internal import PathSubscribers
internal import Programs
internal import SystemIO

/// The program with everything that needs the history: pathctl starts it for its verbs. So neither pathctl nor the
/// service links SQLite.
@main
enum PathmonitorHistoryMain {
  private static let program = Program("pathmonitor-history")
  private static let verbs: [(name: String, run: @Sendable ([String]) -> Int32)] = [
    ("record", { RecorderProgram.run(arguments: $0) }), ("totals", { TotalsProgram.run(arguments: $0) }),
    ("report", { ReportProgram.run(arguments: $0) }),
  ]

  static func main() {
    exit(
      Program.run { arguments in
        guard let verb = verbs.first(where: { $0.name == arguments.first }) else { return answer(arguments) }
        return verb.run(Array(arguments.dropFirst()))
      })
  }

  /// The answer to a command line without a verb.
  private static func answer(_ arguments: [String]) -> Int32 {
    let usage = "pathmonitor-history \(verbs.map(\.name).joined(separator: "|")) …"
    switch arguments.first {
    case "--version", "-V":
      try? Output.write(Array("pathmonitor-history \(PathMonitorVersion.current)\n".utf8), to: 1)
      return ExitStatus.success
    case "--help", "-h":
      try? Output.write(Array("Usage: \(usage)\n".utf8), to: 1)
      return ExitStatus.success
    case let word:
      let mistake = word.map { "there is no verb \($0.quotedInLine)" } ?? "a verb is missing"
      program.complain("\(mistake). Correct use: \(usage)")
      return ExitStatus.usage
    }
  }
}

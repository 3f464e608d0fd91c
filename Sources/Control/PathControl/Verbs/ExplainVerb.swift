package import KernelPath
internal import PathFollowing
package import Programs

/// `pathctl explain`: shows the verdict with its cause, the next step and the evidence.
package struct ExplainVerb: Verb {
  package static let name = "explain"
  package static let operands = [Placeholder("HOST", .host, isOptional: true)]
  package static let summary = "Say why the path is as it is, and what to do next"
  package static var ownOptions: [Option<ExplainVerb>] { [.noPager { $0.isPaged = false }] + Option.forQuestions }
  package static let details = """
    The verdict comes first, with the interface, route, rule or file that decides; then the next step;
    then every lookup. With HOST, this is about the path to that host. Put the output into a bug report.
    Two faults at once: the one nearer to the machine is named first, the others behind 'also'.
    """
  package static let exits = exitsOfPath
  package static let examples = [
    (purpose: "Find out why the machine is offline", lines: "pathctl explain"),
    (purpose: "Find out why a host cannot be reached", lines: "pathctl explain intranet.example"),
  ]

  package var invocation = Invocation()
  /// The name or address of a host; `nil` for the path to the Internet.
  package private(set) var host: String?
  /// Whether a terminal shows the answer in a pager.
  package private(set) var isPaged = true

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) { host = operands.first }

  /// Shows the verdict and the evidence; the exit status says whether there is a path.
  package func run() throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation, isFollowing: true).answer { source throws(PathSourceError) in
      guard let host else {
        return invocation.explain(ExplainedAnswer(try source.explained(withSteps: true)), isPaged: isPaged)
      }
      return try HostAnswer.answer(host, source, of: invocation) { invocation.explain($0, isPaged: isPaged) }
    }
  }
}

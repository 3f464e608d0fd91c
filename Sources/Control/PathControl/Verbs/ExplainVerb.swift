package import KernelPath
internal import PathFollowing
internal import Programs

extension Verb {
  /// Shows the verdict with its cause, the next step and the evidence.
  package static let explain = Verb(
    name: "explain", operands: [Placeholder("HOST", .host, isOptional: true)],
    summary: "Say why the path is as it is, and what to do next",
    options: [Option.noPager.option] + Option.forQuestions,
    details: [
      .text(
        "The verdict comes first, with the interface, route, rule or file that decides; then the next step; then every "
          + "lookup. With HOST, this is about the path to that host. Put the output into a bug report."),
      .text("Two faults at once: the one nearer to the machine is named first, the others behind 'also'."),
    ], exits: .ofPath,
    examples: [
      Example("Find out why the machine is offline", "pathctl explain"),
      Example("Find out why a host cannot be reached", "pathctl explain intranet.example"),
    ]
  ) { arguments in ExplainOrder(to: arguments.operands.first, isPaged: !arguments.has(Option.noPager.option)) }
}

/// Show why the path is as it is.
package struct ExplainOrder: VerbOrder {
  private let host: String?
  private let isPaged: Bool

  /// The order of `pathctl explain`.
  ///
  /// - Parameters:
  ///   - host: The name or address of a host; `nil` for the path to the Internet.
  ///   - isPaged: Whether a terminal shows the answer in a pager.
  package init(to host: String? = nil, isPaged: Bool = true) {
    (self.host, self.isPaged) = (host, isPaged)
  }

  /// Shows the verdict and the evidence; the exit status says whether there is a path.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation, isFollowing: true).answer { source throws(PathSourceError) in
      guard let host else {
        return invocation.explain(ExplainedAnswer(try source.explained(withSteps: true)), isPaged: isPaged)
      }
      return try HostAnswer.answer(host, source, of: invocation) { invocation.explain($0, isPaged: isPaged) }
    }
  }
}

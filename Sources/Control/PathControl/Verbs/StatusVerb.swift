package import KernelPath
internal import PathFollowing
internal import Programs

extension Verb {
  /// Shows the path, as `pathctl` without a verb does.
  package static let status = Verb(
    name: "status", synonyms: ["show"], summary: "Show the network path as it is now (default)",
    options: [.field, .format, .quiet] + Option.forQuestions,
    details: [
      .text("A path means that the kernel has a usable route now, not that the Internet answers."),
      .text(
        """
        With --settle, the answer comes when the path has not changed for that time. The service knows how long it has \
        not; the kernel does not, so with --direct the time begins with the question.
        """),
    ] + .ofField,
    exits: .ofPath,
    examples: [
      Example(
        "The interface that carries the traffic, in a variable",
        """
        interface=$(pathctl status --field interface)
        case $? in 1) echo offline ;; 69) echo 'not known' ;; esac
        """)
    ]
  ) { _ in StatusOrder() }
}

/// Show the path.
package struct StatusOrder: VerbOrder {
  /// The order of `pathctl status`.
  package init() {}

  /// Shows the path; the exit status says whether there is one.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      // The causes cost further questions.
      guard invocation.showsCauses else { return invocation.show(try source.path()) }
      return invocation.show(ExplainedAnswer(try source.explained(withSteps: false)))
    }
  }
}

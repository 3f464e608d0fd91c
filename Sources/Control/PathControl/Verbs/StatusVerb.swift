package import KernelPath
internal import PathFollowing
package import Programs

/// `pathctl status`, and `pathctl` without a verb: shows the path.
package struct StatusVerb: Verb {
  package static let name = "status"
  package static let synonyms = ["show"]
  package static let summary = "Show the network path as it is now (default)"
  package static var ownOptions: [Option<StatusVerb>] { [.field, .format, .quiet] + Option.forQuestions }
  package static var details: String {
    """
    A path means that the kernel has a usable route now, not that the Internet answers.
    With --settle, the answer comes when the path has not changed for that time. The service knows how
    long it has not; the kernel does not, so with --direct the time begins with the question.
    \(aboutFields)
    """
  }
  package static let exits = exitsOfPath
  package static let examples = [
    (
      purpose: "The interface that carries the traffic, in a variable",
      lines: """
      interface=$(pathctl status --field interface)
      case $? in 1) echo offline ;; 69) echo 'not known' ;; esac
      """
    )
  ]

  package var invocation = Invocation()

  package init() {}

  /// Shows the path; the exit status says whether there is one.
  package func run() throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      // The causes cost further questions.
      guard invocation.showsCauses else { return invocation.show(try source.path()) }
      return invocation.show(ExplainedAnswer(try source.explained(withSteps: false)))
    }
  }
}

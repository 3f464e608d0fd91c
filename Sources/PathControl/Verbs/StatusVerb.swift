internal import CommandLineOptions
package import KernelPath
internal import PathFollowing

extension Verb {
  /// Shows the path, as `pathctl` without a verb does.
  package static let status = Verb(
    name: "status", summary: "Show the network path as it is now (default)", options: Option.forQuestions,
    details: [.text("A path means that the kernel has a usable route now, not that the Internet answers.")],
    exits: .ofPath
  ) { _ in StatusOrder() }
}

/// Show the path.
package struct StatusOrder: VerbOrder {
  /// The order of `pathctl status`.
  package init() {}

  /// Shows the path; the exit status says whether there is one.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      invocation.show(ExplainedAnswer(try source.explained()))
    }
  }
}

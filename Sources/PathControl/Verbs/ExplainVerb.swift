internal import CommandLineOptions
internal import JSON
package import KernelPath
internal import PathCoding
internal import PathFollowing

extension Verb {
  /// Shows the steps that led to the verdict.
  package static let explain = Verb(
    name: "explain", summary: "Show how the path was evaluated, lookup by lookup", options: Option.forQuestions,
    details: [.text("Put this into a bug report.")], exits: .ofPath,
    examples: [Example("Show why the path is what it is", "pathctl explain")]
  ) { _ in ExplainOrder() }
}

/// Show the steps that led to the verdict.
package struct ExplainOrder: VerbOrder {
  /// The order of `pathctl explain`.
  package init() {}

  /// Shows the steps of the evaluation; the exit status says whether there is a path.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation, isFollowing: true).answer { source throws(PathSourceError) in
      let (path, steps) = try source.explanation()
      guard invocation.isJSON else {
        let advice = path.advice().map { ["advice: \($0)"] } ?? []
        return PathControl.say(lines: steps + advice, path.exitStatus)
      }
      return PathControl.say(
        JSONWriter.line {
          $0.beginObject()
          $0.key("path")
          path.write(to: &$0)
          $0.key("steps")
          $0.array(steps) { $0.string($1) }
          $0.endObject()
        }, path.exitStatus)
    }
  }
}

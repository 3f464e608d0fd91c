/// A path with its causes and the steps that led to it.
package struct ExplainedPath: Sendable {
  /// The path with the overrides.
  package var path: NetworkPath
  /// The causes of its state, the nearest one to the machine first; empty when nothing is known of it.
  package var causes: [Diagnosis]
  /// The verdict and the evidence, line by line.
  package var steps: [String]
  /// The route to the host; `nil` when this is the path to the Internet.
  package var route: RouteSummary?

  /// An explanation.
  package init(path: NetworkPath, causes: [Diagnosis], steps: [String], route: RouteSummary? = nil) {
    (self.path, self.causes, self.steps, self.route) = (path, causes, steps, route)
  }
}

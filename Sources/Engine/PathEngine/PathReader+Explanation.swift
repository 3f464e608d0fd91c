internal import KernelPath
internal import PathDecisions
package import PathModel
internal import SystemIO

/// Explanations: a person asks for them, so they may read what no evaluation needs.
extension PathReader {
  /// The latest path with its causes and the steps that led to it.
  ///
  /// - Parameter withSteps: Whether somebody reads the steps, which take as long to describe as the causes.
  package func explained(of user: UInt32? = nil, withSteps: Bool = true) -> ExplainedPath {
    let path = path(of: user)
    guard let evaluation = classPath(of: user)?.evaluation else {
      return ExplainedPath(path: path, causes: [], steps: notes)
    }
    var routing = kernel.routingFacts(for: evaluation, user: user)
    if path.status == .satisfied { routing.nameServerFaults = nameServerFaults(of: user) }
    return explain(evaluation, path, routing, isToHost: false, withSteps: withSteps)
  }

  /// The path to a destination with its causes and the steps that led to it.
  ///
  /// If the kernel cannot be asked, the path is ``NetworkPath/unknown``, and ``failure`` gives the reason.
  package func explained(to destination: IPAddress, of user: UInt32? = nil) -> ExplainedPath {
    guard let evaluation = evaluation(to: destination, of: user) else {
      return ExplainedPath(path: .unknown, causes: [], steps: notes)
    }
    var path = evaluation.path
    // The observations concern the Internet. A router that has stopped answering is among the causes.
    path.validation = .unknown
    path.boottimeMicroseconds = boottimeMicroseconds()
    let routing = kernel.routingFacts(for: evaluation, user: user)
    var explained = explain(evaluation, overrides.applied(to: path), routing, isToHost: true, withSteps: true)
    explained.route = RouteSummary(to: destination, evaluation, kernel.state, routing)
    return explained
  }

  /// The reasons why none of the name servers can be reached; empty when one can, or that is not known. They are more
  /// exact than those of an evaluation, and include servers on this machine.
  private func nameServerFaults(of user: UInt32?) -> [RoutingFacts.NameServerFault] {
    var faults: [RoutingFacts.NameServerFault] = []
    for server in kernel.situation.resolver.askedServers {
      guard let reason = fault(ofServer: server, user) else { return [] }
      faults.append(RoutingFacts.NameServerFault(server, reason))
    }
    return faults
  }

  private func fault(ofServer server: IPAddress, _ user: UInt32?) -> String? {
    if let known = classPath(of: user)?.evaluation.nameServerFaults.first(where: { $0.server == server && $0.isFinal })
    {
      return PathDiagnosis.words(for: known, in: kernel.state)
    }
    // A link-local server is reached over the link that its scope names.
    guard !server.isLoopback, !server.isLinkLocal, let evaluation = evaluation(to: server, of: user),
      evaluation.path.status != .satisfied
    else { return nil }
    let cause = PathDiagnosis(
      evaluation, path: evaluation.path, state: kernel.state, resolver: kernel.situation.resolver,
      routing: kernel.routingFacts(for: evaluation, user: user), isToHost: true
    ).causes.first
    return cause.map { $0.sentence.contains("\(server)") ? $0.sentence : "\(server) is out of reach: \($0.sentence)" }
  }

  private func explain(
    _ evaluation: PathEvaluation, _ path: NetworkPath, _ routing: RoutingFacts, isToHost: Bool, withSteps: Bool
  ) -> ExplainedPath {
    var view = kernel
    let causes = PathDiagnosis(
      evaluation, path: path, state: kernel.state, interfaces: PathEvaluator.describeInterfaces(&view, evaluation),
      resolver: kernel.situation.resolver, routing: routing, overrides: overrides, isToHost: isToHost
    ).causes
    let steps =
      withSteps
      ? PathExplanation.steps(
        evaluation, path: path, causes: causes, state: kernel.state, resolver: kernel.situation.resolver,
        routing: routing, notes: notes) : []
    let nearest = causes.first.flatMap { $0.code == .connected ? nil : $0 }
    return ExplainedPath(path: path.caused(by: nearest), causes: causes, steps: steps)
  }
}

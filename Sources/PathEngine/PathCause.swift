internal import KernelPath
internal import PathDecisions
internal import PathModel

/// The causes that travel with each path: of several, the nearest to the machine.
/// ``PathInquiry/explained(of:withSteps:)`` reads more, and names all of them.
extension Kernel {
  /// The cause that follows from an evaluation, the links and the resolver configuration alone; `nil` where nothing
  /// speaks against a path, and for a lost one that only policy rules can explain.
  func cause(of evaluation: PathEvaluation) -> Diagnosis? {
    evaluation.needsRules ? nil : cause(of: evaluation, path: evaluation.path, RoutingFacts(), OverrideTable())
  }

  /// The cause of a path that routes or rules take away. The policy rules are read, and the first piece of table main
  /// if no rule leads there; no routers are. The reading takes equally long whatever the routing tables hold, and so a
  /// route that refuses is not named.
  func causeByRules(of evaluation: PathEvaluation, user: UInt32?) -> Diagnosis? {
    cause(of: evaluation, path: evaluation.path, briefRoutingFacts(for: evaluation, user: user), OverrideTable())
  }

  /// The cause of a path that an administrator has taken away.
  func cause(of evaluation: PathEvaluation, overridden path: NetworkPath, by overrides: OverrideTable) -> Diagnosis? {
    cause(of: evaluation, path: path, RoutingFacts(), overrides)
  }

  private func cause(
    of evaluation: PathEvaluation, path: NetworkPath, _ routing: RoutingFacts, _ overrides: OverrideTable
  ) -> Diagnosis? {
    var view = self
    // Only the faults of links have words that depend on the types of interfaces.
    let interfaces =
      evaluation.path.status == .satisfied ? [] : PathEvaluator.describeInterfaces(&view, evaluation)
    let nearest = PathDiagnosis(
      evaluation, path: path, state: state, interfaces: interfaces, resolver: resolver, routing: routing,
      overrides: overrides
    ).causes.first
    return nearest?.code == .connected ? nil : nearest
  }
}

extension PathEvaluation {
  /// Whether routes or rules take the path away: its cause is known by the policy rules.
  var needsRules: Bool { [.noRoute, .prohibited].contains(path.unsatisfiedReason) }
}

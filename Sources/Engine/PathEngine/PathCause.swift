internal import KernelPath
internal import PathDecisions
internal import PathModel

/// The causes that travel with each path: of several, the nearest to the machine.
/// ``PathReader/explained(of:withSteps:)`` reads more, and names all of them.
extension Kernel {
  /// The nearest cause; `nil` where nothing speaks against a path.
  ///
  /// - Parameters:
  ///   - path: The path with the overrides.
  ///   - routing: The brief facts if routes or rules take the path away.
  func cause(
    of evaluation: PathEvaluation, path: NetworkPath, routing: RoutingFacts = RoutingFacts(),
    overrides: OverrideTable = OverrideTable()
  ) -> Diagnosis? {
    var view = self
    var routing = routing
    routing.routers = situation.networks.routers
    return PathDiagnosis(
      evaluation, path: path, state: state, interfaces: PathEvaluator.describeInterfaces(&view, evaluation),
      resolver: situation.resolver, routing: routing,
      overrides: overrides
    ).faults.first
  }
}

extension PathEvaluation {
  /// Whether routes or rules take the path away: its cause is known by the policy rules.
  var needsRules: Bool { [.noRoute, .prohibited].contains(path.unsatisfiedReason) }
}

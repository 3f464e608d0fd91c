package import PathDecisions
package import PathModel

extension MemoryNetwork {
  /// The diagnosis of an evaluation, with the facts that the real kernel would be read for.
  package mutating func diagnosis(
    of evaluation: PathEvaluation, overrides: OverrideTable = OverrideTable(), isToHost: Bool = false
  ) -> PathDiagnosis {
    let interfaces = PathEvaluator.describeInterfaces(&kernel, evaluation)
    return PathDiagnosis(
      evaluation, path: overrides.applied(to: evaluation.path), state: kernel.state, interfaces: interfaces,
      resolver: kernel.resolver,
      routing: routingFacts(for: evaluation), overrides: overrides, isToHost: isToHost)
  }

  /// The differences between a path and what a step expects of it, in words.
  package mutating func differences(
    between expected: JSONObject, and evaluation: PathEvaluation
  ) throws -> [String] {
    let path = evaluation.path.caused(by: diagnosis(of: evaluation).faults.first)
    let obstacle = evaluation.families.first?.obstacle?.interfaceIndex.flatMap { kernel.state[$0]?.link.name }
    return try PathExpectation.differences(between: expected, and: path) {
      $0["obstacle"] = obstacle.map(JSONValue.string)
    }
  }

  private func routingFacts(for evaluation: PathEvaluation) -> RoutingFacts {
    var facts = RoutingFacts()
    facts.routers = kernel.networkFacts.routers
    facts.neighbours = neighbours.filter { evaluation.neighbours.contains($0.neighbour) }
    (facts.ignoringAdvertisements, facts.tableNames) = (ignoringAdvertisements, tableNames)
    facts.rules =
      [IPAddress.Family.ipv4, .ipv6].map { PolicyRule(family: $0, priority: 0, action: .lookup(table: 255)) }
      + kernel.rules.map(\.policyRule).sorted { $0.priority < $1.priority }
    facts.refusingRoutes = kernel.routes.map(\.spec)
      .filter { ![RouteType.unicast, RouteType.throw].contains($0.type) }
      .map { spec in
        RoutingFacts.TableRoute(
          type: spec.type, table: spec.table,
          destination: PolicyRule.Prefix(spec.destination.address, length: Int(spec.destination.length)))
      }
    let unreachable = RouteAnswer.refused(errorNumber: RoutingError.noRoute)
    for lookup in evaluation.unboundMatches where lookup.answer == unreachable {
      let family = lookup.query.destination.family
      let flow = PolicyRule.Flow(to: lookup.query.destination, user: lookup.query.user ?? facts.user)
      if !facts.leadsToMain(flow), hasDefault(family, in: 254) { facts.defaultsOfMain.insert(family) }
      let asked = facts.rules(askedBy: flow).compactMap(\.table) + [254, 255]
      for table in (facts.rules ?? []).filter({ $0.family == family }).compactMap(\.table)
      where !asked.contains(table) && hasDefault(family, in: table) {
        facts.defaultsOfRules.insert(.init(family, table))
      }
    }
    return facts
  }

  private func hasDefault(_ family: IPAddress.Family, in table: UInt32) -> Bool {
    kernel.routes.map(\.spec).contains { route in
      route.family == family && route.table == table && route.destination.length == 0
        && route.type == RouteType.unicast
    }
  }
}

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

  /// Plays a case; returns the differences from the expected paths, and the evaluation of each step.
  ///
  /// - Parameter remembersCarriers: Whether each evaluation knows the links over which the traffic left last.
  package static func play(
    _ pathCase: PathCase, hashedInterfaces: [IPAddress: Int32] = [:], remembersCarriers: Bool = false
  ) throws -> (differences: [String], evaluations: [PathEvaluation]) {
    var network = MemoryNetwork(isBare: pathCase.isBare)
    network.kernel.hashedInterfaces = hashedInterfaces
    var (differences, evaluations, carriers): ([String], [PathEvaluation], [Int32]) = ([], [], [])
    for (number, step) in pathCase.steps.enumerated() {
      for item in step.items { try network.perform(item) }
      let evaluation = try PathEvaluator.evaluate(
        &network.kernel, probes: .standard, formerCarriers: remembersCarriers ? carriers : [])
      if !evaluation.carriers.isEmpty { carriers = evaluation.carriers }
      differences += try network.differences(between: step.expected, and: evaluation).map { "step \(number): \($0)" }
      evaluations.append(evaluation)
    }
    return (differences, evaluations)
  }

  private func routingFacts(for evaluation: PathEvaluation) -> RoutingFacts {
    var facts = RoutingFacts()
    facts.routers = kernel.networkFacts.routers
    facts.neighbours = neighbours.filter { evaluation.neighbours.contains($0.neighbour) }
    (facts.ignoringAdvertisements, facts.tableNames) = (ignoringAdvertisements, tableNames)
    facts.rules =
      [IPAddress.Family.ipv4, .ipv6].map { PolicyRule(family: $0, priority: 0, action: .lookup(table: 255)) }
      + kernel.rules.sorted { $0.priority < $1.priority }
    facts.refusingRoutes = kernel.routes.map(\.spec)
      .filter { ![RouteType.unicast, RouteType.throw].contains($0.type) }
      .map { spec in
        RoutingFacts.TableRoute(
          type: spec.type, table: spec.table,
          destination: spec.destination.ofRule)
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

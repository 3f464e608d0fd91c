internal import PathModel

/// Explains whether the Internet answers over a path.
enum ValidationExplanation {
  /// The verdict, then one line for each observation with a mark at those that decided, one for each router of the path
  /// that is no evidence, and the way to learn more. No line if nothing is known of either.
  static func steps(
    _ validation: PathValidation, _ evaluation: PathEvaluation, _ state: KernelState, _ routing: RoutingFacts
  ) -> [String] {
    let now = routing.boottimeMicroseconds
    let observations = validation.evidence + evaluation.neighbours.compactMap { observation(of: $0, state, routing) }
    let advice = validation.state == .validated ? [] : routing.portalAdvice.map { "    \($0)" }
    if observations.isEmpty && advice.isEmpty { return [] }
    let rows = observations.map { observation in
      let isDated = observation.when > 0 && observation.when <= now
      let age = isDated ? ", \((now - observation.when) / 1_000_000) s ago" : ""
      return [observation.verdict.rawValue, observation.source.rawValue, observation.text + age]
    }
    return ["validation of the path: \(validation.state)"]
      + CostExplanation.table(rows) { validation.isDeciding(observations[$0]) } + advice
  }

  /// The observation of a router that answers, or has not been seen to answer; `nil` for one that has failed, which the
  /// path has.
  private static func observation(
    of neighbour: RoutingFacts.Neighbour, _ state: KernelState, _ routing: RoutingFacts
  ) -> PathValidation.Observation? {
    guard let record = routing.routers[neighbour], record.failed == nil else { return nil }
    let words = record.answered == nil ? "has not been seen to answer, which is no evidence" : "has answered"
    return .init(
      source: .router, verdict: .unknown, family: neighbour.address.family, when: record.answered ?? 0,
      text: "the router \(neighbour.words(state)) \(words)")
  }
}

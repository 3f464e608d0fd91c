package import PathModel

/// The rules that combine evidence: per interface, then per path. `CostSources` holds the sources of the evidence.
///
/// Of one interface the strongest piece decides: user, explicit, certain, likely, guess. An interface without evidence
/// is "not expensive, and unknown". So is one with evidence that could not be read, unless a piece for "expensive" or a
/// stronger one decides. Stronger than a lease are the network's settings and the user. Stronger than a rule is another
/// rule.
///
/// Traffic over several interfaces is expensive when any of them is.
package enum CostRules {
  /// The cost of one interface by all evidence about it.
  ///
  /// Of pieces that are equally strong, one for "expensive" or "constrained" wins: a mistake in that direction costs
  /// less.
  package static func combine(_ evidence: [Evidence]) -> Cost {
    if evidence.isEmpty { return .unknown }
    let ranked = evidence.enumerated().sorted { sortKey($0) < sortKey($1) }.map(\.element)
    let expense = ranked.first { $0.verdict.concernsExpense }
    let constraint = ranked.first { $0.verdict.concernsConstraint }
    let isUndetermined = ranked.contains { piece in
      guard piece.verdict == .undetermined else { return false }
      guard let expense else { return true }
      let sufficient = piece.source == .configuration ? Evidence.Confidence.user : .explicit
      return expense.verdict != .expensive && expense.confidence < sufficient
    }
    return Cost(
      isExpensive: expense?.verdict == .expensive, isConstrained: constraint?.verdict == .constrained,
      confidence: isUndetermined ? .unknown : expense?.confidence ?? .unknown, evidence: ranked)
  }

  private static func sortKey(_ piece: (offset: Int, element: Evidence)) -> (Int, Int, Int) {
    (piece.element.confidence.rank, piece.element.verdict.isCostly ? 0 : 1, piece.offset)
  }

  /// The cost of traffic over several interfaces side by side: it is expensive when any of them is, and known not to be
  /// when that is known of all.
  package static func union(_ costs: [Cost]) -> Cost {
    guard let first = costs.first, costs.count > 1 else { return costs.first ?? .unknown }
    let expensive = costs.filter(\.isExpensive)
    let deciding =
      expensive.max { $0.confidence < $1.confidence } ?? costs.min { $0.confidence < $1.confidence } ?? first
    return Cost(
      isExpensive: !expensive.isEmpty, isConstrained: costs.contains { $0.isConstrained },
      confidence: deciding.confidence, evidence: merged([deciding] + costs))
  }

  /// The cost of an interface that sends its packets over others: a tunnel, a VLAN, a bridge.
  ///
  /// It has their cost and its own, if there is evidence of its own; but the user's decision on the interface itself
  /// stands.
  package static func inheriting(own: Cost, below: [Cost]) -> Cost {
    if below.isEmpty { return own }
    let lower = union(below)
    if own.evidence.isEmpty { return lower }
    let expense = inherited(own, lower) { $0.concernsExpense || $0 == .undetermined }
    let constraint = inherited(own, lower) { $0.concernsConstraint }
    return Cost(
      isExpensive: expense.isExpensive, isConstrained: constraint.isConstrained, confidence: expense.confidence,
      evidence: merged(expense.confidence == own.confidence ? [own, lower] : [lower, own]))
  }

  /// The cost in the respect that the filter selects: the lower one when the interface has no evidence of its own, its
  /// own when the user decided it, else both.
  private static func inherited(_ own: Cost, _ lower: Cost, _ concerns: (Evidence.Verdict) -> Bool) -> Cost {
    let evidence = own.evidence.filter { concerns($0.verdict) }
    if evidence.isEmpty { return lower }
    return evidence.contains { $0.confidence == .user } ? own : union([own, lower])
  }

  /// All evidence of the costs in their order, each piece once.
  private static func merged(_ costs: [Cost]) -> [Evidence] {
    var evidence: [Evidence] = []
    for piece in costs.flatMap(\.evidence)
    where !evidence.contains(where: { $0 == piece && $0.text.exact == piece.text.exact }) {
      evidence.append(piece)
    }
    return evidence
  }
}

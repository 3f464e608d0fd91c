/// How evidence is combined: per interface, then per path. Where evidence comes from is told in `CostSources`.
///
/// Of one interface the strongest piece decides: user, explicit, certain, likely, guess, and nothing at all is
/// "not expensive, and unknown". What goes over several interfaces is expensive when any of them is.
package enum CostRules {
  /// The cost of one interface by all that is known of it.
  ///
  /// Of pieces that are equally strong, one that says that something is to be spared counts for more: being wrong with
  /// that costs less.
  package static func combine(_ evidence: [Evidence]) -> Cost {
    if evidence.isEmpty { return .unknown }
    let ranked = evidence.enumerated().sorted { sortKey($0) < sortKey($1) }.map(\.element)
    let expense = ranked.first { $0.verdict.concernsExpense }
    let constraint = ranked.first { $0.verdict.concernsConstraint }
    return Cost(
      isExpensive: expense?.verdict == .expensive, isConstrained: constraint?.verdict == .constrained,
      confidence: expense?.confidence ?? .unknown, evidence: ranked)
  }

  private static func sortKey(_ piece: (offset: Int, element: Evidence)) -> (Int, Int, Int) {
    (piece.element.confidence.rank, piece.element.verdict.isCostly ? 0 : 1, piece.offset)
  }

  /// The cost of what goes over several interfaces side by side: it is expensive when any of them is, and known not to
  /// be when that is known of all.
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
  /// It has their cost and its own, if anything is known of that; but the user's word on the interface itself stands.
  package static func inheriting(own: Cost, below: [Cost]) -> Cost {
    if below.isEmpty { return own }
    let lower = union(below)
    if own.evidence.isEmpty { return lower }
    let expense = inherited(own, lower) { $0.concernsExpense }
    let constraint = inherited(own, lower) { $0.concernsConstraint }
    return Cost(
      isExpensive: expense.isExpensive, isConstrained: constraint.isConstrained, confidence: expense.confidence,
      evidence: merged(expense.confidence == own.confidence ? [own, lower] : [lower, own]))
  }

  /// Which cost counts for what the filter lets through: the lower one when the interface's own says nothing of it, its
  /// own when the user said so, else both.
  private static func inherited(_ own: Cost, _ lower: Cost, _ concerns: (Evidence.Verdict) -> Bool) -> Cost {
    let evidence = own.evidence.filter { concerns($0.verdict) }
    if evidence.isEmpty { return lower }
    return evidence.contains { $0.confidence == .user } ? own : union([own, lower])
  }

  /// All evidence of the costs in their order, each piece once.
  private static func merged(_ costs: [Cost]) -> [Evidence] {
    var evidence: [Evidence] = []
    for piece in costs.flatMap(\.evidence) where !evidence.contains(where: { $0 == piece && $0.text == piece.text }) {
      evidence.append(piece)
    }
    return evidence
  }
}

/// What a path costs, and why we think so.
public struct Cost: Hashable, Sendable {
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool
  /// How far ``isExpensive`` can be trusted: the confidence of the evidence that decided it, or `unknown` without any.
  /// What goes over several interfaces is only known not to be expensive when that is known of all of them.
  public var confidence: Evidence.Confidence
  /// All evidence. The first piece that says what ``isExpensive`` says has decided it; likewise ``isConstrained``.
  public var evidence: [Evidence]

  /// A cost as given.
  public init(isExpensive: Bool, isConstrained: Bool, confidence: Evidence.Confidence, evidence: [Evidence]) {
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.confidence = confidence
    self.evidence = evidence
  }
}

extension Cost {
  /// The cost of which nothing is known.
  package static let unknown = Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: [])

  /// The positions of the pieces that decided: one for the expense, one for the constraint, as far as there are.
  package var decidingPieces: [Int] {
    let expense = evidence.firstIndex {
      $0.verdict == (isExpensive ? .expensive : .notExpensive) && $0.confidence.rank == confidence.rank
    }
    let constraint = evidence.firstIndex { $0.verdict == (isConstrained ? .constrained : .notConstrained) }
    return [expense, constraint].compactMap(\.self)
  }
}

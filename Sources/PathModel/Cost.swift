/// The cost of a path, with the evidence for it.
public struct Cost: Hashable, Sendable {
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool
  /// How far ``isExpensive`` can be trusted: the confidence of the evidence that decided it, or `unknown` without any.
  /// Traffic over several interfaces is known not to be expensive only when that is known of all of them.
  public var confidence: Evidence.Confidence
  /// All evidence. The first piece that agrees with ``isExpensive`` has decided it; likewise for ``isConstrained``.
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
  /// The cost when there is no evidence.
  package static let unknown = Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: [])

  /// The positions of the deciding pieces: one for the expense and one for the constraint, where there are any.
  package var decidingPieces: [Int] {
    let expense = evidence.firstIndex {
      $0.verdict == (isExpensive ? .expensive : .notExpensive) && $0.confidence.rank == confidence.rank
    }
    let constraint = evidence.firstIndex { $0.verdict == (isConstrained ? .constrained : .notConstrained) }
    return [expense, constraint].compactMap(\.self)
  }
}

/// The cost of a path, with the evidence for it.
public struct Cost: Hashable, Sendable {
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool
  /// How far ``isExpensive`` can be trusted: the confidence of the evidence that decided it, or `unknown` without any.
  /// Traffic over several interfaces is known not to be expensive only when that is known of all of them.
  public var confidence: Evidence.Confidence
  /// All evidence. The first piece that agrees with ``isExpensive`` has decided it; likewise for ``isConstrained``. If
  /// ``isUndetermined`` is true, the first piece with the verdict ``Evidence/Verdict/undetermined`` has.
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

  /// Whether evidence that may say that traffic costs money exists and could not be read, and nothing stronger decides.
  ///
  /// ``isExpensive`` is then false, and a requirement on the expense has the verdict
  /// ``PathRequirement/Verdict/unknown``.
  public var isUndetermined: Bool {
    !isExpensive && confidence == .unknown && evidence.contains { $0.verdict == .undetermined }
  }

  /// The positions of the deciding pieces: one for the expense and one for the constraint, where there are any.
  package var decidingPieces: [Int] {
    let verdict: Evidence.Verdict = isExpensive ? .expensive : isUndetermined ? .undetermined : .notExpensive
    let expense = evidence.firstIndex { $0.verdict == verdict && $0.confidence.rank == confidence.rank }
    let constraint = evidence.firstIndex { $0.verdict == (isConstrained ? .constrained : .notConstrained) }
    return [expense, constraint].compactMap(\.self)
  }
}

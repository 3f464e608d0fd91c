/// One reason to believe that a path costs something, or that it does not.
///
/// Two pieces of evidence are equal when all but their texts is equal, so that a reworded text is
/// never a change of the path.
public struct Evidence: Sendable {
  /// Where it comes from, such as `interfaceType` or `gatewayAddress`.
  public var source: String
  /// What it says: `expensive`, `notExpensive`, `constrained` or `notConstrained`.
  public var verdict: String
  /// How far it can be trusted: `certain`, `likely` or `guess`.
  public var confidence: String
  /// The evidence in words, for people.
  public var text: String

  /// A piece of evidence.
  public init(source: String, verdict: String, confidence: String, text: String) {
    self.source = source
    self.verdict = verdict
    self.confidence = confidence
    self.text = text
  }
}

extension Evidence: Hashable {
  /// Equality of all but the texts.
  public static func == (left: Evidence, right: Evidence) -> Bool {
    left.source == right.source && left.verdict == right.verdict && left.confidence == right.confidence
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(verdict)
    hasher.combine(confidence)
  }
}

/// What a path costs, and why we think so.
public struct Cost: Hashable, Sendable {
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool
  /// The confidence of the strongest evidence: `certain`, `likely`, `guess`, or `unknown` without any.
  public var confidence: String
  /// All evidence, the deciding piece first.
  public var evidence: [Evidence]

  /// A cost as given.
  public init(isExpensive: Bool, isConstrained: Bool, confidence: String, evidence: [Evidence]) {
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.confidence = confidence
    self.evidence = evidence
  }
}

/// One reason to believe that a path costs something, or that it does not.
///
/// Two pieces of evidence are equal when all but their texts is equal, so that a reworded text is
/// never a change of the path.
public struct Evidence: Sendable {
  /// Where it comes from: `override`, `configuration`, `program` (the one that asks), `networkManager`, `interfaceType`,
  /// `driver`, `lease` or `gatewayAddress`; there may be more some day.
  public var source: String
  /// What it says: `expensive`, `notExpensive`, `constrained` or `notConstrained`.
  public var verdict: String
  /// How far it can be trusted, from the strongest to the weakest:
  /// - `user`: an administrator said so;
  /// - `explicit`: it was set for this network, in a program that manages networks;
  /// - `certain`: the interface or the network itself says so;
  /// - `likely`: what is seen is hardly ever anything else;
  /// - `guess`: somebody guessed.
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
  /// How far ``isExpensive`` can be trusted: the confidence of the evidence that decided it, or `unknown` without any.
  /// What goes over several interfaces is only known not to be expensive when that is known of all of them.
  public var confidence: String
  /// All evidence. The first piece that says what ``isExpensive`` says has decided it; likewise ``isConstrained``.
  public var evidence: [Evidence]

  /// A cost as given.
  public init(isExpensive: Bool, isConstrained: Bool, confidence: String, evidence: [Evidence]) {
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.confidence = confidence
    self.evidence = evidence
  }
}

extension Evidence {
  /// Where evidence comes from.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    case override, configuration, program, networkManager, interfaceType, driver, lease, gatewayAddress
  }

  /// What evidence says.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case expensive, notExpensive, constrained, notConstrained

    /// Whether it speaks of money or quotas, not of the user's wish to save data.
    package var concernsExpense: Bool { self == .expensive || self == .notExpensive }
    /// Whether it says that something is to be spared.
    package var isCostly: Bool { self == .expensive || self == .constrained }
  }

  /// How far evidence can be trusted, the strongest first.
  package enum Confidence: String, Hashable, Sendable, CaseIterable, Comparable {
    case user, explicit, certain, likely, guess, unknown

    /// Whether this is weaker than the other.
    package static func < (left: Confidence, right: Confidence) -> Bool { left.rank > right.rank }

    /// 0 for the strongest.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    /// Whether it is more than a guess.
    package var isKnown: Bool { rank <= Self.likely.rank }
  }

  /// A piece of evidence in the words there are.
  package init(_ source: Source, _ verdict: Verdict, _ confidence: Confidence, _ text: String) {
    self.init(source: source.rawValue, verdict: verdict.rawValue, confidence: confidence.rawValue, text: text)
  }

  /// What it says; `nil` for a word that a newer version uses.
  package var knownVerdict: Verdict? { Verdict(rawValue: verdict) }
  /// How far it can be trusted; a word that a newer version uses counts as unknown.
  package var knownConfidence: Confidence { Confidence(rawValue: confidence) ?? .unknown }
}

extension Cost {
  /// The cost of which nothing is known.
  package static let unknown = Cost(
    isExpensive: false, isConstrained: false, confidence: Evidence.Confidence.unknown.rawValue, evidence: [])

  /// How far ``isExpensive`` can be trusted.
  package var expenseConfidence: Evidence.Confidence { Evidence.Confidence(rawValue: confidence) ?? .unknown }

  /// The positions of the pieces that decided: one for the expense, one for the constraint, as far as there are.
  package var decidingPieces: [Int] {
    let expense = evidence.firstIndex {
      $0.knownVerdict == (isExpensive ? .expensive : .notExpensive) && $0.knownConfidence == expenseConfidence
    }
    let constraint = evidence.firstIndex { $0.knownVerdict == (isConstrained ? .constrained : .notConstrained) }
    return [expense, constraint].compactMap(\.self)
  }
}

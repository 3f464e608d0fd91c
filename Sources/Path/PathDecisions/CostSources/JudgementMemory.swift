package import PathModel

/// Caches the ruling on each interface and its cost. An entry is valid as long as the facts behind it stay the same.
/// The cache saves work because there may be a thousand rules, evidence is put into words, and evaluations are many.
package final class JudgementMemory {
  /// The rules.
  package let rules: InterfaceRules
  private var rulings: [Int32: (traits: InterfaceTraits, ruling: InterfaceRuling)] = [:]
  private var costs: [Int32: (candidate: CostCandidate, cost: Cost)] = [:]

  /// An empty cache for the rules.
  package init(_ rules: InterfaceRules = InterfaceRules()) {
    self.rules = rules
  }

  /// The ruling on an interface.
  package func ruling(on traits: InterfaceTraits) -> InterfaceRuling {
    if let entry = rulings[traits.index], entry.traits == traits { return entry.ruling }
    let ruling = rules.ruling(on: traits)
    rulings[traits.index] = (traits, ruling)
    return ruling
  }

  /// The cost of an interface, without the interfaces below it.
  ///
  /// - Parameter index: The kernel's index of the interface.
  package func cost(of candidate: CostCandidate, at index: Int32) -> Cost {
    if let entry = costs[index], entry.candidate == candidate { return entry.cost }
    let cost = CostRules.combine(candidate.evidence)
    costs[index] = (candidate, cost)
    return cost
  }

  /// Removes the entries of a link that is gone.
  package func forget(_ index: Int32) {
    rulings[index] = nil
    costs[index] = nil
  }

  /// Removes all entries.
  package func forgetAll() {
    (rulings, costs) = ([:], [:])
  }
}

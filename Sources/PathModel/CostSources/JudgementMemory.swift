/// What the rules and the sources of cost say of each interface, kept as long as what they look at stays the same: there
/// may be a thousand rules, evidence is put into words, and evaluations are many.
package final class JudgementMemory {
  /// The rules.
  package let rules: InterfaceRules
  private var rulings: [Int32: (traits: InterfaceTraits, ruling: InterfaceRuling)] = [:]
  private var costs: [Int32: (candidate: CostCandidate, cost: Cost)] = [:]

  /// Nothing is remembered yet.
  package init(_ rules: InterfaceRules = InterfaceRules()) {
    self.rules = rules
  }

  /// What the rules say of an interface.
  package func ruling(on traits: InterfaceTraits) -> InterfaceRuling {
    if let entry = rulings[traits.index], entry.traits == traits { return entry.ruling }
    let ruling = rules.ruling(on: traits)
    rulings[traits.index] = (traits, ruling)
    return ruling
  }

  /// What the use of an interface costs, without what is below it.
  ///
  /// - Parameter index: The kernel's index of the interface.
  package func cost(of candidate: CostCandidate, at index: Int32) -> Cost {
    if let entry = costs[index], entry.candidate == candidate { return entry.cost }
    let cost = CostRules.combine(candidate.evidence)
    costs[index] = (candidate, cost)
    return cost
  }

  /// Forgets a link that is gone.
  package func forget(_ index: Int32) {
    rulings[index] = nil
    costs[index] = nil
  }

  /// Forgets all links.
  package func forgetAll() {
    (rulings, costs) = ([:], [:])
  }
}

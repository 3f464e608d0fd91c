/// What the rules say of each interface, kept as long as what they look at stays the same: there may be a thousand
/// rules, and evaluations are many.
package struct RulingMemory: Sendable {
  /// The rules.
  package let rules: InterfaceRules
  private var known: [Int32: (traits: InterfaceTraits, ruling: InterfaceRuling)] = [:]

  /// Nothing is remembered yet.
  package init(_ rules: InterfaceRules) {
    self.rules = rules
  }

  /// What the rules say.
  package mutating func ruling(on traits: InterfaceTraits) -> InterfaceRuling {
    if let entry = known[traits.index], entry.traits == traits { return entry.ruling }
    let ruling = rules.ruling(on: traits)
    known[traits.index] = (traits, ruling)
    return ruling
  }

  /// Forgets a link that is gone.
  package mutating func forget(_ index: Int32) {
    known[index] = nil
  }

  /// Forgets all links.
  package mutating func forgetAll() {
    known = [:]
  }
}

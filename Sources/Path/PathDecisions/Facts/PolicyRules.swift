internal import PathModel

/// The policy rules of both families, and what evaluations conclude from them.
package struct PolicyRules: Hashable, Sendable {
  /// The rules, in the kernel's order.
  package let rules: [PolicyRule]
  /// The ranges of users that rules of either family name, such as `uidrange 1000-1999`, in order and without
  /// duplicates. The rules treat users in the same ranges alike.
  package let userRanges: [ClosedRange<UInt32>]
  /// The facts for evaluations.
  package let facts: PolicyFacts

  /// The conclusions from rules.
  ///
  /// - Parameter user: The user of lookups that name none.
  package init(_ rules: [PolicyRule], user: UInt32 = 0) {
    self.rules = rules
    userRanges = Self.distinct(rules.compactMap(\.users))
    facts = PolicyFacts(
      ipv4RulesNameSources: rules.contains { $0.family == .ipv4 && $0.namesSource }, rules: rules, user: user)
  }

  /// The ranges by which rules distinguish users, in order and without duplicates.
  ///
  /// A range of all users distinguishes nobody and is left out. The highest number is no user's (`(uid_t)-1`), so the
  /// kernel accepts no range with it. A range from 0 up to the number before it therefore covers all users, too.
  package static func distinct(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    ranges.filter { $0.lowerBound > 0 || $0.upperBound < .max - 1 }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
      .reduce(into: []) { distinct, range in if distinct.last != range { distinct.append(range) } }
  }
}

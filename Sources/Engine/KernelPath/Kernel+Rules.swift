internal import CNetlink
package import PathDecisions
internal import PathModel
internal import SystemIO

/// The policy rules of both families, and the conclusions that evaluations need.
struct PolicyRules: Hashable {
  /// The rules, in the kernel's order.
  let rules: [PolicyRule]
  /// The ranges of users that rules name, in order and without duplicates.
  let userRanges: [ClosedRange<UInt32>]
  /// The facts for evaluations.
  let facts: PolicyFacts

  init(_ rules: [PolicyRule]) {
    self.rules = rules
    userRanges = Self.distinct(rules.compactMap(\.users))
    facts = PolicyFacts(
      ipv4RulesNameSources: rules.contains { $0.family == .ipv4 && $0.namesSource }, rules: rules,
      user: ProcessIdentity.user)
  }

  /// The ranges by which rules distinguish users, in order and without duplicates.
  ///
  /// A range of all users distinguishes nobody and is left out. The highest number is no user's (`(uid_t)-1`), so the
  /// kernel accepts no range with it. A range from 0 up to the number before it therefore covers all users, too.
  static func distinct(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    ranges.filter { $0.lowerBound > 0 || $0.upperBound < .max - 1 }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
      .reduce(into: []) { distinct, range in if distinct.last != range { distinct.append(range) } }
  }
}

extension Kernel {
  /// The ranges of users that policy rules of either family name, such as `uidrange 1000-1999`, in order and without
  /// duplicates. The rules treat users in the same ranges alike.
  package func userRanges() throws(KernelPathError) -> [ClosedRange<UInt32>] { try rules().userRanges }

  /// The facts about the policy rules.
  package func policy() throws(KernelPathError) -> PolicyFacts { try rules().facts }

  /// The policy rules of both families, in the kernel's order.
  package func policyRules() throws(KernelPathError) -> [PolicyRule] { try rules().rules }

  /// Reads the rules the first time, and again after a message about them or an overrun.
  private func rules() throws(KernelPathError) -> PolicyRules {
    if let knownRules { return knownRules }
    var rules = PolicyRules([])
    for _ in 1...5 {
      let reading = try readRules()
      rules = PolicyRules(reading.rules)
      guard reading.isConsistent else { continue }
      knownRules = rules
      return rules
    }
    // Rules that changed during every reading are used as last read, and are read again next time.
    revision += 1
    return rules
  }

  /// Reads the rules now; inconsistently if they change meanwhile.
  private func readRules() throws(KernelPathError) -> (rules: [PolicyRule], isConsistent: Bool) {
    var rules: [PolicyRule] = []
    var isConsistent = true
    for family in IPAddress.Family.allCases {
      let request = NetlinkRequest.allRules(of: family.rawValue)
      let isFamilyConsistent = try queries.dump(request, of: "policy rules", isOptional: true) {
        (message) throws(NetlinkDecodingError) in
        if message.type == RTM_NEWRULE, let rule = try PolicyRule(rule: message) { rules.append(rule) }
      }
      isConsistent = isConsistent && isFamilyConsistent
    }
    return (rules, isConsistent)
  }

  /// Records that the rules have changed, or may have.
  func noteRuleChange() {
    ruleChanges += 1
    revision += 1
    knownRules = nil
  }
}

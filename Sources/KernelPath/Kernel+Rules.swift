package import PathModel

/// The user ranges and the facts from the policy rules of both families.
struct PolicyRules: Hashable {
  /// The ranges of users that rules name, in order and without duplicates.
  var userRanges: [ClosedRange<UInt32>] = []
  /// The facts for evaluations.
  var facts = PolicyFacts()
}

extension Kernel {
  /// The ranges of users that policy rules of either family name, such as `uidrange 1000-1999`, in order and without
  /// duplicates. The rules treat users in the same ranges alike.
  package func userRanges() throws(KernelPathError) -> [ClosedRange<UInt32>] { try rules().userRanges }

  /// The facts about the policy rules.
  package func policy() throws(KernelPathError) -> PolicyFacts { try rules().facts }

  /// Reads the rules the first time, and again after a message about them or an overrun. If messages are not listened
  /// for, the rules are read each time.
  private func rules() throws(KernelPathError) -> PolicyRules {
    if events != nil, let knownRules { return knownRules }
    var rules = PolicyRules()
    // Rules that changed during every reading are used as last read, and are read again next time.
    for _ in 1...5 {
      let reading = try readRules()
      rules = reading.rules
      guard reading.isConsistent else { continue }
      knownRules = rules
      break
    }
    return rules
  }

  private func readRules() throws(KernelPathError) -> (rules: PolicyRules, isConsistent: Bool) {
    var rules = PolicyRules()
    var isConsistent = true
    for family in [IPAddress.Family.ipv4, .ipv6] {
      let request = NetlinkRequest.allRules(of: family.rawValue)
      let isFamilyConsistent = try queries.dump(request, of: "policy rules", isOptional: true) {
        (message, datagram) throws(NetlinkDecodingError) in
        guard message.type == MessageType.newRule else { return }
        let rule = try RuleMessage(message, in: datagram)
        if let range = rule.userRange { rules.userRanges.append(range) }
        if family == .ipv4, rule.namesSource { rules.facts.ipv4RulesNameSources = true }
      }
      isConsistent = isConsistent && isFamilyConsistent
    }
    rules.userRanges = RuleMessage.distinctRanges(rules.userRanges)
    return (rules, isConsistent)
  }

  /// Records that the rules have changed, or may have.
  func noteRuleChange() {
    ruleChanges += 1
    knownRules = nil
  }
}

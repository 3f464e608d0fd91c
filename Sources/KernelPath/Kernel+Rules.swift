package import PathModel

/// What the policy rules of both families tell apart.
struct PolicyRules: Hashable {
  /// The ranges of users that rules name, in order and each once.
  var userRanges: [ClosedRange<UInt32>] = []
  /// What an evaluation has to know.
  var facts = PolicyFacts()
}

extension Kernel {
  /// The ranges of users that policy rules of either family name, such as `uidrange 1000-1999`; in order and each
  /// once. To the rules, users who are in the same of them are the same.
  package func userRanges() throws(KernelPathError) -> [ClosedRange<UInt32>] { try rules().userRanges }

  /// The facts about the policy rules.
  package func policy() throws(KernelPathError) -> PolicyFacts { try rules().facts }

  /// The rules are read the first time, and again after a message of them or an overrun. Where messages are not
  /// listened for they are read each time.
  private func rules() throws(KernelPathError) -> PolicyRules {
    if events != nil, let knownRules { return knownRules }
    var rules = PolicyRules()
    // Rules that something changed under are taken as they are in the end, and read again next time.
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

  /// Takes note that the rules have changed, or may have.
  func noteRuleChange() {
    ruleChanges += 1
    knownRules = nil
  }
}

internal import CNetlink
package import PathDecisions
internal import PathModel
internal import SystemIO

extension Kernel {
  /// Reads the policy rules the first time, and again after a message about them or an overrun.
  package func readRules() throws(KernelPathError) { _ = try rules() }

  /// The policy rules of both families.
  package func rules() throws(KernelPathError) -> PolicyRules {
    if let rules = situation.rules { return rules }
    var found: [PolicyRule] = []
    // A rule that changes during the last reading has a message, after which they are read again.
    for _ in 1...5 {
      let reading = try readRulesOnce()
      found = reading.rules
      if reading.isConsistent { break }
    }
    let rules = PolicyRules(found, user: ProcessIdentity.user)
    apply(.rules(rules))
    return rules
  }

  /// Reads the rules now; inconsistently if they change meanwhile.
  private func readRulesOnce() throws(KernelPathError) -> (rules: [PolicyRule], isConsistent: Bool) {
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
}

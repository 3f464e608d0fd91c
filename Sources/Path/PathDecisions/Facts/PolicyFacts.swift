/// Facts about the policy rules that decide which lookups an evaluation needs.
package struct PolicyFacts: Hashable, Sendable {
  /// Whether an IPv4 rule looks at the source address (`ip rule add from …`). connect(2) then repeats its lookup with
  /// the source that the first one chose, and the second may lead elsewhere. Source: `fib_rule_hdr.src_len`
  /// (`linux/fib_rules.h`).
  ///
  /// IPv6 needs no such fact: connect(2) looks up again with a source only after a refusal.
  package var ipv4RulesNameSources: Bool

  /// All rules in the kernel's order, if one of them answers as a missing route does (`ip rule add … unreachable`);
  /// otherwise empty.
  package var rules: [PolicyRule]
  /// The user of lookups that name none.
  package var user: UInt32

  /// Facts as given; by default no rule names a source, and none refuses.
  package init(ipv4RulesNameSources: Bool = false, rules: [PolicyRule] = [], user: UInt32 = 0) {
    self.ipv4RulesNameSources = ipv4RulesNameSources
    self.rules = rules.contains { $0.action == .unreachable } ? rules : []
    self.user = user
  }
}

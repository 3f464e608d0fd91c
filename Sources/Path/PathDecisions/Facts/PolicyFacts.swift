/// Facts about the policy rules that decide which lookups an evaluation needs.
package struct PolicyFacts: Hashable, Sendable {
  /// Whether an IPv4 rule looks at the source address (`ip rule add from …`). connect(2) then repeats its lookup with
  /// the source that the first one chose, and the second may lead elsewhere. Source: `fib_rule_hdr.src_len`
  /// (`linux/fib_rules.h`).
  ///
  /// IPv6 needs no such fact: connect(2) looks up again with a source only after a refusal.
  package var ipv4RulesNameSources: Bool

  /// Facts as given; by default no rule names a source.
  package init(ipv4RulesNameSources: Bool = false) {
    self.ipv4RulesNameSources = ipv4RulesNameSources
  }
}

internal import PathModel

/// The evidence from the administrator's rule files. A file that is not used may say that the interface is metered. The
/// cost is then undetermined, unless another rule decides it: a typo must not let traffic out that costs money.
enum ConfigurationCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    if let expensive = candidate.ruling.isExpensive {
      evidence.append(
        Evidence(
          .configuration, expensive.value ? .expensive : .notExpensive, .user,
          "Expensive=\(expensive.value ? "yes" : "no") for \(candidate.name) in \(expensive.origin)"))
    } else if let fault = candidate.ruling.unusedRule, candidate.type != .loopback {
      evidence.append(
        Evidence(
          .configuration, .undetermined, .unknown,
          "\(candidate.name) may be metered by a rule that is not used: \(fault)"))
    }
    if let constrained = candidate.ruling.isConstrained {
      evidence.append(
        Evidence(
          .configuration, constrained.value ? .constrained : .notConstrained, .user,
          "Constrained=\(constrained.value ? "yes" : "no") for \(candidate.name) in \(constrained.origin)"))
    }
  }
}

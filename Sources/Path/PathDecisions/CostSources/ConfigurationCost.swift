internal import PathModel

/// The evidence from the administrator's rule files.
enum ConfigurationCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    if let expensive = candidate.ruling.isExpensive {
      evidence.append(
        Evidence(
          .configuration, expensive.value ? .expensive : .notExpensive, .user,
          "Expensive=\(expensive.value ? "yes" : "no") for \(candidate.name) in \(expensive.origin)"))
    }
    if let constrained = candidate.ruling.isConstrained {
      evidence.append(
        Evidence(
          .configuration, constrained.value ? .constrained : .notConstrained, .user,
          "Constrained=\(constrained.value ? "yes" : "no") for \(candidate.name) in \(constrained.origin)"))
    }
  }
}

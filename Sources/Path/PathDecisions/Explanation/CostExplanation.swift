internal import PathModel

/// Explains the cost of a path.
enum CostExplanation {
  /// The evidence for the path as a table, with a mark at the deciding pieces, then the costs of other usable
  /// interfaces.
  static func steps(_ cost: Cost?, _ evaluation: PathEvaluation, _ state: KernelState) -> [String] {
    var steps: [String] = []
    if let cost {
      steps.append("cost of the path: \(verdict(cost))")
      steps += table(cost)
    }
    let primaries = Set(evaluation.families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    for index in evaluation.costs.keys.sorted() where cost == nil || !primaries.contains(index) {
      guard let cost = evaluation.costs[index], let name = state[index]?.link.name else { continue }
      steps.append("cost of \(name): \(verdict(cost))")
      steps += table(cost)
    }
    return steps
  }

  private static func verdict(_ cost: Cost) -> String {
    let isKnown = cost.isExpensive || cost.confidence != .unknown
    let expense =
      isKnown ? "\(cost.isExpensive ? "metered" : "unmetered") (\(cost.confidence))" : "metered or not: unknown"
    return "\(expense), \(cost.isConstrained ? "constrained" : "unconstrained")"
  }

  /// One line for each piece of evidence.
  private static func table(_ cost: Cost) -> [String] {
    let deciding = cost.decidingPieces
    let rows = cost.evidence.map { [$0.confidence.rawValue, $0.verdict.rawValue, $0.source.rawValue, $0.text] }
    return table(rows) { deciding.contains($0) }
  }

  /// One line for each row, in columns; `*` marks the deciding ones.
  static func table(_ rows: [[String]], isDeciding: (Int) -> Bool) -> [String] {
    let last = (rows.first?.count ?? 1) - 1
    let widths = (0..<last).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.enumerated().map { position, row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return "  \(isDeciding(position) ? "*" : " ") \(cells.joined(separator: "  "))  \(row[last])"
    }
  }
}

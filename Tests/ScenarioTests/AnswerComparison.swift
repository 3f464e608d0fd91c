import PathDecisions
import PathModel
import PathTestSupport

/// Compares the answers of two kernels to the questions of one evaluation.
enum AnswerComparison {
  /// The differences of the answers in values that a path depends on, in words.
  static func differences(_ real: PathEvaluation, _ fake: PathEvaluation) -> [String] {
    let (left, right) = (essences(of: real.lookups), essences(of: fake.lookups))
    let differing = Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
    return differing.sorted().map { "\($0): \(left[$0] ?? "not asked"), in memory \(right[$0] ?? "not asked")" }
  }

  /// The interfaces that unbound sockets use, by destination. For a route with several legs, a hash has chosen.
  static func interfacesOfUnboundSockets(_ evaluation: PathEvaluation) -> [IPAddress: Int32] {
    var interfaces: [IPAddress: Int32] = [:]
    for lookup in evaluation.lookups where lookup.query.kind == .resolve && lookup.query.interfaceIndex == 0 {
      guard case .route(let route) = lookup.answer, let leg = route.legs.first else { continue }
      interfaces[lookup.query.destination] = leg.interfaceIndex
    }
    return interfaces
  }

  private static func essences(of lookups: [PathEvaluation.Lookup]) -> [String: String] {
    let pairs = lookups.map { lookup -> (String, String) in
      let query = lookup.query
      let question = "\(query.kind) \(query.destination) over \(query.interfaceIndex)"
      return (question, essence(of: lookup))
    }
    return Dictionary(pairs) { first, second in first == second ? first : "\(first) and \(second)" }
  }

  /// The compared part of an answer.
  private static func essence(of lookup: PathEvaluation.Lookup) -> String {
    guard case .route(let route) = lookup.answer else { return "\(lookup.answer)" }
    // The legs of an IPv6 route begin with the one that a hash chooses.
    let legs = route.legs.sorted { $0.interfaceIndex < $1.interfaceIndex }.map {
      "\($0.interfaceIndex) \($0.gateway?.description ?? "-") \($0.isLinkDown) \($0.isDead)"
    }
    if lookup.query.kind == .match {
      return "type \(route.type) /\(route.prefixLength) table \(route.table) metric \(route.metric) legs \(legs)"
    }
    // Link-local addresses are made of random hardware addresses, and come a little late.
    let source = route.source.flatMap { $0.isRoutableSource ? $0.description : nil } ?? "none that counts"
    return "type \(route.type) interface \(route.legs.map(\.interfaceIndex)) source \(source)"
  }
}

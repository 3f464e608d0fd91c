internal import PathModel

/// Answers that cannot have changed, because nothing has been heard since that touches their family.
///
/// A route, rule, address or setting of one family never changes the routing decisions of the other. A link or
/// next-hop object concerns both. Whoever wants to be sure asks for everything anew.
struct AnswerCache {
  /// More are not remembered: finding them would cost what asking costs.
  private static let limit = 64

  private var entries: [(query: RouteQuery, answer: RouteAnswer)] = []

  /// What is known of each question, and the questions that remain to be asked.
  func lookUp(_ queries: [RouteQuery]) -> (known: [RouteAnswer?], missing: [RouteQuery]) {
    guard !entries.isEmpty else { return ([RouteAnswer?](repeating: nil, count: queries.count), queries) }
    let known = queries.map { query in entries.first { $0.query == query }?.answer }
    return (known, zip(queries, known).filter { $1 == nil }.map(\.0))
  }

  /// Remembers answers to questions that were not known.
  mutating func remember(_ queries: [RouteQuery], _ answers: [RouteAnswer]) {
    guard entries.count + queries.count <= Self.limit else {
      entries = []
      return
    }
    for (query, answer) in zip(queries, answers) { entries.append((query, answer)) }
  }

  /// Forgets the answers of a family.
  mutating func forget(_ family: IPAddress.Family) {
    entries.removeAll { $0.query.destination.family == family }
  }

  /// Forgets everything.
  mutating func forgetAll() {
    entries = []
  }
}

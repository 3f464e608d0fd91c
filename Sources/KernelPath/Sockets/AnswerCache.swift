internal import PathModel

/// Answers that cannot have changed, because nothing has been heard since that touches their family.
///
/// A route, rule, address or setting of one family never changes the routing decisions of the other. A link or
/// next-hop object concerns both. Whoever wants to be sure asks for everything anew.
struct AnswerCache {
  /// More are not remembered: finding them would cost what asking costs.
  private static let limit = 64

  // Two lists, so that looking for a question does not touch the answers.
  private var queries: [RouteQuery] = []
  private var answers: [RouteAnswer] = []

  /// Answers the questions, in their order. Those whose answers are not known are put to `ask`, in one batch.
  mutating func answers<Failure: Error>(
    to questions: [RouteQuery], _ ask: ([RouteQuery]) throws(Failure) -> [RouteAnswer]
  ) throws(Failure) -> [RouteAnswer] {
    guard !queries.isEmpty else { return remember(questions, try ask(questions)) }
    var missing: [RouteQuery] = []
    for question in questions where position(of: question) == nil { missing.append(question) }
    if missing.count == questions.count { return remember(questions, try ask(questions)) }
    let fresh = missing.isEmpty ? [] : remember(missing, try ask(missing))
    var next = 0
    var result: [RouteAnswer] = []
    result.reserveCapacity(questions.count)
    for question in questions {
      if next < missing.count, missing[next] == question {
        result.append(fresh[next])
        next += 1
      } else if let position = position(of: question) {
        result.append(answers[position])
      }
    }
    return result
  }

  /// Forgets the answers of a family.
  mutating func forget(_ family: IPAddress.Family) {
    guard queries.contains(where: { $0.destination.family == family }) else { return }
    let kept = queries.indices.filter { queries[$0].destination.family != family }
    (queries, answers) = (kept.map { queries[$0] }, kept.map { answers[$0] })
  }

  /// Forgets everything.
  mutating func forgetAll() {
    queries.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
  }

  private func position(of question: RouteQuery) -> Int? {
    for position in queries.indices where queries[position] == question { return position }
    return nil
  }

  private mutating func remember(_ questions: [RouteQuery], _ fresh: [RouteAnswer]) -> [RouteAnswer] {
    if queries.count + questions.count <= Self.limit {
      queries += questions
      answers += fresh
    } else {
      forgetAll()
    }
    return fresh
  }
}

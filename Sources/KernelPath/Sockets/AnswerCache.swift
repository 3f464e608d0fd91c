internal import PathModel

/// Answers that cannot have changed, because nothing has been heard since that touches their family.
///
/// A route, rule, address or setting of one family never changes the routing decisions of the other. A link or
/// next-hop object concerns both. Whoever wants to be sure asks for everything anew.
struct AnswerCache {
  /// More are not remembered: finding them would cost what asking costs.
  private static let limit = 64

  /// What is known of one family. Two lists, so that looking for a question does not touch the answers.
  private struct Known {
    var queries: [RouteQuery] = []
    var answers: [RouteAnswer] = []

    func answer(to question: RouteQuery) -> RouteAnswer? {
      for position in queries.indices where queries[position] == question { return answers[position] }
      return nil
    }

    mutating func forget() {
      queries.removeAll(keepingCapacity: true)
      answers.removeAll(keepingCapacity: true)
    }
  }

  private var ipv4 = Known()
  private var ipv6 = Known()

  /// Answers the questions, in their order. Those whose answers are not known are put to `ask`, in one batch.
  mutating func answers<Failure: Error>(
    to questions: [RouteQuery], _ ask: ([RouteQuery]) throws(Failure) -> [RouteAnswer]
  ) throws(Failure) -> [RouteAnswer] {
    var result: [RouteAnswer] = []
    result.reserveCapacity(questions.count)
    var missing: [RouteQuery] = []
    var gaps: [Int] = []
    for question in questions {
      let known = question.destination.family == .ipv4 ? ipv4.answer(to: question) : ipv6.answer(to: question)
      if known == nil {
        missing.append(question)
        gaps.append(result.count)
      }
      result.append(known ?? .refused(errorNumber: 0))
    }
    guard !missing.isEmpty else { return result }
    let fresh = try ask(missing)
    remember(missing, fresh)
    if missing.count == questions.count { return fresh }
    for (gap, answer) in zip(gaps, fresh) { result[gap] = answer }
    return result
  }

  /// Forgets the answers of a family.
  mutating func forget(_ family: IPAddress.Family) {
    if family == .ipv4 { ipv4.forget() } else { ipv6.forget() }
  }

  /// Forgets everything.
  mutating func forgetAll() {
    ipv4.forget()
    ipv6.forget()
  }

  private mutating func remember(_ questions: [RouteQuery], _ fresh: [RouteAnswer]) {
    guard ipv4.queries.count + ipv6.queries.count + questions.count <= Self.limit else { return forgetAll() }
    for (question, answer) in zip(questions, fresh) {
      if question.destination.family == .ipv4 {
        ipv4.queries.append(question)
        ipv4.answers.append(answer)
      } else {
        ipv6.queries.append(question)
        ipv6.answers.append(answer)
      }
    }
  }
}

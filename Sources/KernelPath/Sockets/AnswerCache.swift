internal import PathModel

/// Answers that cannot have changed, because nothing has been heard since that touches their family.
///
/// Whoever wants to be sure asks for everything anew.
struct AnswerCache {
  /// What was asked, in the order in which it was asked first.
  private var batches: [RouteBatch] = []

  /// How many batches are remembered: the few states that a network goes to and fro between ask for so many.
  private static let limit = 16
  /// How many questions are put at once: their answers must fit into the receive buffer the kernel grants
  /// (208 KiB of accounting by default, up to 5 KiB for each).
  private static let batchSize = 32

  /// Answers the questions, in their order. Batches with answers that are not known are handed to `ask`.
  mutating func answers<Failure: Error>(
    to questions: [RouteQuery], _ ask: (inout RouteBatch) throws(Failure) -> Void
  ) throws(Failure) -> [RouteAnswer] {
    if questions.isEmpty { return [] }
    if questions.count <= Self.batchSize { return try batches[known(questions, ask)].answers }
    var result: [RouteAnswer] = []
    result.reserveCapacity(questions.count)
    for start in stride(from: 0, to: questions.count, by: Self.batchSize) {
      let part = questions[start..<min(start + Self.batchSize, questions.count)]
      result += try batches[known(Array(part), ask)].answers
    }
    return result
  }

  /// Where the batch is of which all answers are known then.
  private mutating func known<Failure: Error>(
    _ questions: [RouteQuery], _ ask: (inout RouteBatch) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let position: Int
    if let known = batches.firstIndex(where: { $0.queries == questions }) {
      position = known
    } else {
      if batches.count == Self.limit { batches.removeFirst() }
      position = batches.count
      batches.append(RouteBatch(questions))
    }
    if !batches[position].outdated.isEmpty { try ask(&batches[position]) }
    return position
  }

  /// Takes note that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    for position in batches.indices { batches[position].outdate(families) }
  }
}

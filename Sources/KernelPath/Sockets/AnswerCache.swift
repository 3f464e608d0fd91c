internal import PathModel

/// Answers that cannot have changed, because nothing has been heard since that touches their family: they save half of the
/// lookups of an evaluation.
struct AnswerCache {
  /// How often the answers of each family may have changed.
  private struct Changes {
    var ipv4 = 0
    var ipv6 = 0
  }

  private struct Entry {
    var batch: RouteBatch
    /// Those that the batch knows of.
    var seen: Changes
  }

  /// What was asked, in the order in which it was asked first.
  private var entries: [Entry] = []
  private var changes = Changes()

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
    if questions.count <= Self.batchSize { return try entries[known(questions, ask)].batch.answers }
    var result: [RouteAnswer] = []
    result.reserveCapacity(questions.count)
    for start in stride(from: 0, to: questions.count, by: Self.batchSize) {
      let part = questions[start..<min(start + Self.batchSize, questions.count)]
      result += try entries[known(Array(part), ask)].batch.answers
    }
    return result
  }

  /// Where the batch is of which all answers are known then.
  private mutating func known<Failure: Error>(
    _ questions: [RouteQuery], _ ask: (inout RouteBatch) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let position: Int
    if let known = entries.indices.first(where: { entries[$0].batch.queries == questions }) {
      position = known
    } else {
      if entries.count == Self.limit { entries.removeFirst() }
      position = entries.count
      entries.append(Entry(batch: RouteBatch(questions), seen: changes))
    }
    if entries[position].seen.ipv4 != changes.ipv4 { entries[position].batch.outdate(.ipv4) }
    if entries[position].seen.ipv6 != changes.ipv6 { entries[position].batch.outdate(.ipv6) }
    entries[position].seen = changes
    if !entries[position].batch.outdated.isEmpty { try ask(&entries[position].batch) }
    return position
  }

  /// Takes note that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4) { changes.ipv4 += 1 }
    if families.contains(.ipv6) { changes.ipv6 += 1 }
  }
}

internal import PathModel

/// A cache of the kernel's answers. An answer is valid until a message touches its family, which saves half of the
/// lookups of an evaluation.
struct AnswerCache {
  /// The number of possible changes to the answers of each family.
  private struct Changes {
    var ipv4 = 0
    var ipv6 = 0
  }

  private struct Entry {
    var batch: RouteBatch
    /// The counts of changes that the batch has taken into account.
    var seen: Changes
  }

  /// The cached batches, the oldest first.
  private var entries: [Entry] = []
  private var changes = Changes()

  /// The largest number of cached batches. The few states between which a network alternates need no more.
  private static let limit = 16
  /// The largest number of questions in a batch. Their answers must fit into the receive buffer that the kernel grants
  /// (208 KiB of accounting by default, up to 5 KiB for each).
  private static let batchSize = 32

  /// Answers the questions, in their order. `ask` fetches the outdated answers of a batch.
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

  /// Returns the position of the questions' batch, with all answers up to date.
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

  /// Records that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4) { changes.ipv4 += 1 }
    if families.contains(.ipv6) { changes.ipv6 += 1 }
  }
}

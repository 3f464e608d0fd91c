internal import PathDecisions

/// A cache of the kernel's answers. An answer is valid until a message touches its family, which saves half of the
/// lookups of an evaluation.
struct AnswerCache {
  /// The number of possible changes to the answers of each family.
  struct Changes {
    var ipv4 = 0
    var ipv6 = 0
  }

  /// The cached batches, the oldest first.
  private var batches: [RouteBatch] = []
  private var changes = Changes()

  /// The largest number of cached batches. The few states between which a network alternates need no more.
  private static let limit = 16
  /// The largest number of questions in a batch. Their answers must fit into the receive buffer that the kernel grants
  /// (208 KiB of accounting by default, up to 5 KiB for each).
  static let batchSize = 32

  /// The batch of the questions. Its answers are valid except for the families that it reports as outdated.
  mutating func batch(of questions: [RouteQuery]) -> RouteBatch {
    let batch = batches.first { $0.queries == questions } ?? add(questions)
    // Equal arrays with the same storage are compared at once, so the batch keeps the storage that is asked with.
    batch.queries = questions
    if batch.seen.ipv4 != changes.ipv4 { batch.outdate(.ipv4) }
    if batch.seen.ipv6 != changes.ipv6 { batch.outdate(.ipv6) }
    batch.seen = changes
    return batch
  }

  private mutating func add(_ questions: [RouteQuery]) -> RouteBatch {
    if batches.count == Self.limit { batches.removeFirst() }
    let batch = RouteBatch(questions)
    batches.append(batch)
    return batch
  }

  /// Records that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4) { changes.ipv4 += 1 }
    if families.contains(.ipv6) { changes.ipv6 += 1 }
  }
}

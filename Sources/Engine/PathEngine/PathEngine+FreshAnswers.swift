internal import KernelPath
package import PathModel
internal import SystemIO

/// Answers to questions of the moment, beside the stream of updates.
extension PathEngine {
  /// The current path, after all messages that the kernel has sent so far. It need not have settled.
  ///
  /// - Parameter user: The user whose path it is; `nil` for our own.
  package func freshPath(of user: UInt32? = nil) -> NetworkPath {
    fresh(of: user) { reader, representative in reader.path(of: representative) }
  }

  /// Calls the body with current answers and the representative of the user's class, and returns its result.
  package func fresh<Result>(
    of user: UInt32? = nil, _ body: (PathReader, _ representative: UInt32?) -> Result
  ) -> Result {
    if !canReuseAnswers { reader.readLinksAgain() }
    let isNews = drain() != nil
    let isResolverNews = reader.kernel.updateResolverIfChanged()
    let isLeaseNews = reader.kernel.updateLeasesIfChanged()
    if isResolverNews || isLeaseNews { schedule.otherNewsArrived() }
    if isNews || isResolverNews || isLeaseNews || !canReuseAnswers { evaluate(isAnswering: true) }
    if reader.kernel.hasUnreadFiles { scheduleLooks(at: .now) }
    // Follow the class only after the evaluation: if the rules have changed, it forgets classes without subscribers.
    let representative = reader.representative(of: user)
    if let representative { reader.follow(representative) }
    if reader.failure != nil { retryLater() }
    defer { if representative != nil { reader.followOnly(streams.followedRepresentatives) } }
    return body(reader, representative)
  }

  private var canReuseAnswers: Bool { reader.failure == nil && schedule.canReuseAnswers(at: .now) }
}

internal import KernelPath
package import PathModel
internal import SystemIO

/// Answers to questions of the moment, beside the stream of updates.
extension PathEngine {
  /// The current path, after all messages that the kernel has sent so far. It need not have settled.
  ///
  /// - Parameter user: The user whose path it is; `nil` for our own.
  package func freshPath(of user: UInt32? = nil) -> NetworkPath {
    fresh(of: user) { inquiry, representative in inquiry.path(of: representative) }
  }

  /// Calls the body with current answers and the representative of the user's class, and returns its result.
  package func fresh<Result>(
    of user: UInt32? = nil, _ body: (PathInquiry, _ representative: UInt32?) -> Result
  ) -> Result {
    if !canReuseAnswers { inquiry.readLinksAgain() }
    let isNews = drain() != nil
    let isResolverNews = inquiry.kernel.updateResolverIfChanged()
    let isLeaseNews = inquiry.kernel.updateLeasesIfChanged()
    if isResolverNews || isLeaseNews { schedule.otherNewsArrived() }
    if isNews || isResolverNews || isLeaseNews || !canReuseAnswers { evaluate(anew: .all) }
    if inquiry.kernel.hasUnreadFiles { scheduleFileRetry(at: .now) }
    // Follow the class only after the evaluation: a subscriber may unsubscribe when it receives the new path, and
    // classes without subscribers are forgotten then.
    let representative = inquiry.representative(of: user)
    if let representative { inquiry.follow(representative) }
    if inquiry.failure != nil { retryLater() }
    defer { if representative != nil { inquiry.followOnly(streams.followedRepresentatives) } }
    return body(inquiry, representative)
  }

  private var canReuseAnswers: Bool { inquiry.failure == nil && schedule.canReuseAnswers(at: .now) }
}

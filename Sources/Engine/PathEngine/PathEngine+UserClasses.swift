internal import KernelPath

/// The classes into which policy rules divide the users of subscriptions.
extension PathEngine {
  /// The error of a subscription that needs one class of users more than can be followed.
  package struct TooManyUserClasses: Error, Hashable, Sendable {
    /// The largest number of classes that are followed at once.
    package var limit: Int
  }

  /// The limit on the classes of users that are followed at once, beside our own.
  package static let userClassLimit = 64

  /// Moves subscribers to the classes that the changed policy rules give their users.
  func reclassify() {
    reader.updateClasses()
    streams.reclassify(by: reader)
    // If the rules cannot be read, the classes stay old, and the next evaluation tries again.
    streams.classifiedAt = reader.areClassesStale ? nil : reader.kernel.ruleChanges
    for representative in streams.followedRepresentatives { reader.follow(representative) }
    reader.followOnly(streams.followedRepresentatives)
  }
}

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

  /// Moves subscribers to the classes that changed policy rules give their users. If the rules cannot be read, the
  /// classes stay, and the next evaluation tries again.
  ///
  /// - Returns: Whether the classes are others.
  func reclassify() -> Bool {
    reader.updateClasses()
    guard streams.classes != reader.classes else { return false }
    streams.reclassify(by: reader)
    streams.classes = reader.classes
    for representative in streams.followedRepresentatives { reader.follow(representative) }
    reader.followOnly(streams.followedRepresentatives)
    return true
  }
}

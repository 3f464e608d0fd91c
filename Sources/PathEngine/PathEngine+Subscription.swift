extension PathEngine {
  /// A place in a stream of paths.
  package struct Subscription {
    let subscriber: PathStream.Subscriber
  }

  /// The error of a subscription that needs one class of users more than can be followed.
  package struct TooManyUserClasses: Error, Hashable, Sendable {
    /// The largest number of classes that are followed at once.
    package var limit: Int
  }

  /// The limit on the classes of users that are followed at once, beside our own.
  package static let userClassLimit = 64
}

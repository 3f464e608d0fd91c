extension PathEngine {
  /// A place in a stream of paths.
  package struct Subscription {
    let subscriber: PathStream.Subscriber
  }

  /// More classes of users than are followed at once.
  package struct TooManyUserClasses: Error, Hashable, Sendable {
    /// How many are followed.
    package var limit: Int
  }

  /// How many classes of users are followed at once, beside our own.
  package static let userClassLimit = 64
}

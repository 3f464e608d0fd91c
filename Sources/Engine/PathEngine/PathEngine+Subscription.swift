package import PathModel
internal import SystemIO

extension PathEngine {
  /// A place in a stream of paths.
  package struct Subscription {
    let subscriber: PathStream.Subscriber
  }

  /// Delivers the path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  ///
  /// Subscriptions with equal parameters, of users that the policy rules treat alike, share one stream and its sequence
  /// numbers.
  ///
  /// - Parameter user: The user whose path is delivered; `nil` for our own.
  package func subscribe(
    _ parameters: StreamParameters, user: UInt32?, _ deliver: @escaping (PathUpdate) -> Void
  ) throws(TooManyUserClasses) -> Subscription {
    drain()
    let representative = reader.representative(of: user)
    // Root is exempt from the limit, so that other users cannot shut it out.
    if let representative, user != 0, reader.followedClasses >= Self.userClassLimit,
      !streams.followedRepresentatives.contains(representative)
    {
      // The loop does not find the messages that have been read here.
      if schedule.hasNews { requestEvaluation(at: .now) }
      throw TooManyUserClasses(limit: Self.userClassLimit)
    }
    return Subscription(subscriber: add(parameters, user: user, deliver))
  }

  /// Delivers our own path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  package func subscribe(_ times: SettleTimes, _ deliver: @escaping (NetworkPath) -> Void) -> Subscription {
    Subscription(subscriber: add(StreamParameters(times), user: nil) { deliver($0.path) })
  }

  private func add(
    _ parameters: StreamParameters, user: UInt32?, _ deliver: @escaping (PathUpdate) -> Void
  ) -> PathStream.Subscriber {
    let (fresh, representative) = fresh(of: user) { ($0.path(of: $1), $1) }
    if let representative { reader.follow(representative) }
    return streams.subscribe(parameters, user: user, representative: representative, fresh: fresh, deliver)
  }

  /// Ends a subscription, which receives no further updates.
  package func cancel(_ subscription: Subscription) {
    streams.cancel(subscription.subscriber)
    reader.followOnly(streams.followedRepresentatives)
  }

  /// The number of subscribers.
  package var subscriberCount: Int { streams.subscriberCount }
  /// The number of updates that have been announced, in all streams.
  package var announcements: Int { streams.announcements }
}

internal import PathDecisions
internal import PathModel
internal import SystemIO

/// All streams of an engine: one for each set of parameters and class of users that is subscribed to.
final class StreamTable {
  private struct Key: Hashable {
    let parameters: StreamParameters
    let representative: UInt32?
  }

  private let loop: EventLoop
  private var streams: [Key: PathStream] = [:]
  /// The number of streams of each class of users, without our own.
  private var streamCounts: [UInt32: Int] = [:]
  private var nextNumber = 0
  private var endedAnnouncements = 0
  /// The number of subscribers that have a user.
  private var userCount = 0
  /// The classes to which the subscribers were last assigned; `nil` when they must be reassigned.
  var classes: UserClasses?

  init(loop: EventLoop) {
    self.loop = loop
  }

  func stop() {
    for stream in streams.values { stream.stop() }
    (streams, streamCounts) = ([:], [:])
  }

  // MARK: Subscribers

  func subscribe(
    _ parameters: StreamParameters, user: UInt32?, representative: UInt32?, fresh: NetworkPath,
    _ deliver: @escaping (PathUpdate) -> Void
  ) -> PathStream.Subscriber {
    let stream = stream(Key(parameters: parameters, representative: representative))
    nextNumber += 1
    if user != nil { userCount += 1 }
    let subscriber = PathStream.Subscriber(number: nextNumber, user: user, stream: stream, deliver)
    stream.add(subscriber, fresh: fresh)
    return subscriber
  }

  func cancel(_ subscriber: PathStream.Subscriber) {
    guard let stream = subscriber.stream else { return }
    stream.remove(subscriber)
    if subscriber.user != nil { userCount -= 1 }
    end(stream)
  }

  private func stream(_ key: Key) -> PathStream {
    if let stream = streams[key] { return stream }
    let stream = PathStream(key.parameters, representative: key.representative, loop: loop)
    streams[key] = stream
    if let representative = key.representative { streamCounts[representative, default: 0] += 1 }
    return stream
  }

  /// Ends a stream that has no subscribers.
  private func end(_ stream: PathStream) {
    guard stream.subscribers.isEmpty else { return }
    stream.stop()
    endedAnnouncements += stream.announcements
    let key = Key(parameters: stream.parameters, representative: stream.representative)
    guard streams.removeValue(forKey: key) != nil, let representative = key.representative else { return }
    let left = (streamCounts[representative] ?? 0) - 1
    streamCounts[representative] = left > 0 ? left : nil
  }

  // MARK: Users

  /// The representatives of the classes that have subscribers, without our own.
  var followedRepresentatives: Set<UInt32> { Set(streamCounts.keys) }

  /// Whether any subscriber has a user, so that its class matters.
  var haveUsers: Bool { userCount > 0 }

  /// Moves the subscribers whose users belong to other classes now.
  func reclassify(by reader: PathReader) {
    for stream in all {
      let leaving = stream.removeSubscribers { reader.knownRepresentative(of: $0.user) != stream.representative }
      if leaving.isEmpty { continue }
      let moves = Dictionary(grouping: leaving) { reader.knownRepresentative(of: $0.user) }.map {
        (self.stream(Key(parameters: stream.parameters, representative: $0)), $1)
      }
      // All are in their new streams before the first delivery, which may end a subscription.
      for (successor, subscribers) in moves { successor.adopt(subscribers, from: stream) }
      end(stream)
      for (successor, subscribers) in moves { successor.catchUp(subscribers) }
    }
  }

  // MARK: Paths

  /// The streams of this moment; deliveries may end some and begin others.
  var all: [PathStream] { Array(streams.values) }

  var subscriberCount: Int { streams.values.reduce(0) { $0 + $1.subscribers.count } }
  var announcements: Int { streams.values.reduce(endedAnnouncements) { $0 + $1.announcements } }
}

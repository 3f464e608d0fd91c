package import PathModel
internal import SystemIO

/// The parameters of a subscription. Subscriptions with equal parameters share one stream.
package struct StreamParameters: Hashable, Sendable {
  /// The settle times.
  package var times: SettleTimes
  /// The requirement on the path; `nil` for none.
  package var requirement: PathRequirement?

  /// Parameters of a stream.
  package init(_ times: SettleTimes, requirement: PathRequirement? = nil) {
    self.times = times
    self.requirement = requirement
  }
}

/// The updates for all subscribers with the same parameters, which share one settling and one numbering.
final class PathStream {
  /// A receiver of the stream's updates.
  final class Subscriber {
    let user: UInt32?
    let deliver: (PathUpdate) -> Void
    fileprivate let number: Int
    /// The stream of the subscriber; `nil` after the subscription has ended. The stream holds its subscribers too, so
    /// the end of a subscription clears both references.
    fileprivate(set) var stream: PathStream?
    /// The update that was delivered last.
    fileprivate var delivered: PathUpdate?
    /// The update that was delivered before it had settled; `nil` for none. The subscriber does not receive the same
    /// path again when it settles, but is notified if the path returns to the announced one.
    fileprivate var ahead: PathUpdate?

    init(number: Int, user: UInt32?, stream: PathStream, _ deliver: @escaping (PathUpdate) -> Void) {
      self.number = number
      self.user = user
      self.stream = stream
      self.deliver = deliver
    }
  }

  let parameters: StreamParameters
  /// The representative of the subscribers' class of users; `nil` for our own.
  let representative: UInt32?

  private let loop: EventLoop
  private var settling: Settling<NetworkPath>
  private var timer: EventLoop.Timer?
  /// The subscribers in the order of their arrival, which is that of their numbers.
  private(set) var subscribers: [Subscriber] = []
  /// The subscribers with an update that had not settled; mostly none.
  private var subscribersAhead: [Subscriber] = []
  private var announced: PathUpdate?
  /// The highest number that any of the subscribers has seen, also in another stream. The next update has a higher one.
  private var highestNumber = -1
  /// The pending deliveries, with their recipients. A delivery may cause the next announcement, which then has to wait,
  /// or the remaining subscribers would receive it first.
  private var deliveries: [(update: PathUpdate, subscribers: [Subscriber])] = []
  private var isDelivering = false
  /// The number of updates that have been announced.
  private(set) var announcements = 0

  init(_ parameters: StreamParameters, representative: UInt32?, loop: EventLoop) {
    self.parameters = parameters
    self.representative = representative
    self.loop = loop
    settling = Settling(parameters.times) { announced, next in announced.isLoss(comparedTo: next) }
    timer = loop.makeTimer { [unowned self] in
      let now = MonotonicInstant.now
      self.obey(self.settling.timerFired(at: now))
    }
  }

  func stop() {
    if let timer { loop.remove(timer) }
    timer = nil
    for subscriber in subscribers { subscriber.stream = nil }
    subscribers = []
    subscribersAhead = []
  }

  // MARK: Subscribers

  /// Adds a subscriber and delivers the current path to it, whether or not that has settled.
  ///
  /// This first path has the number of the last announced update.
  func add(_ subscriber: Subscriber, fresh: NetworkPath) {
    subscribers.append(subscriber)
    guard let announced else { return observe(fresh, at: .now) }
    let restricted = restrict(fresh)
    guard restricted != announced.path else { return deliver(announced, [subscriber]) }
    var first = restricted
    first.sequence = announced.path.sequence
    let update = PathUpdate(first)
    lead(subscriber, with: update)
    deliver(update, [subscriber])
  }

  func remove(_ subscriber: Subscriber) {
    guard let position = position(of: subscriber) else { return }
    subscribers.remove(at: position)
    if subscriber.ahead != nil { subscribersAhead.removeAll { $0 === subscriber } }
    subscriber.stream = nil
  }

  /// Removes the subscribers that the closure names, in their order, so that another stream can ``adopt(_:from:)``
  /// them. One pass: thousands may leave at once.
  func removeSubscribers(where isLeaving: (Subscriber) -> Bool) -> [Subscriber] {
    var staying: [Subscriber] = []
    var leaving: [Subscriber] = []
    for subscriber in subscribers {
      if isLeaving(subscriber) { leaving.append(subscriber) } else { staying.append(subscriber) }
    }
    guard !leaving.isEmpty else { return [] }
    subscribers = staying
    for subscriber in leaving { (subscriber.stream, subscriber.ahead) = (nil, nil) }
    subscribersAhead.removeAll { $0.stream !== self }
    return leaving
  }

  /// Takes over subscribers from another stream, because their users belong to another class now. ``catchUp(_:)``
  /// follows.
  ///
  /// The stream never repeats a number that a subscriber has seen, so its other subscribers may miss some numbers.
  func adopt(_ adopted: [Subscriber], from other: PathStream) {
    if announced == nil {
      // The first subscribers bring the state of their former stream, so that the numbering continues.
      settling = other.settling
      announced = other.announced
      highestNumber = other.highestNumber
    }
    for subscriber in adopted {
      subscriber.stream = self
      highestNumber = max(highestNumber, subscriber.delivered?.path.sequence ?? -1)
    }
    // Two sorted parts, which sorting merges in one pass.
    subscribers = (subscribers + adopted).sorted { $0.number < $1.number }
  }

  /// Delivers this stream's path to adopted subscribers that have none, and notes the ones that have another.
  func catchUp(_ adopted: [Subscriber]) {
    guard let announced else { return }
    for subscriber in adopted where subscriber.stream === self {
      if let delivered = subscriber.delivered {
        if delivered.path != announced.path { lead(subscriber, with: delivered) }
      } else {
        deliver(announced, [subscriber])
      }
    }
  }

  private func lead(_ subscriber: Subscriber, with update: PathUpdate) {
    subscriber.ahead = update
    subscribersAhead.append(subscriber)
  }

  /// Finds the place by binary search, because the numbers ascend.
  private func position(of subscriber: Subscriber) -> Int? {
    var (low, high) = (0, subscribers.count)
    while low < high {
      let middle = (low + high) / 2
      if subscribers[middle].number < subscriber.number { low = middle + 1 } else { high = middle }
    }
    return low < subscribers.count && subscribers[low] === subscriber ? low : nil
  }

  // MARK: Paths

  private func restrict(_ path: NetworkPath) -> NetworkPath {
    parameters.requirement?.applied(to: path) ?? path
  }

  func observe(_ path: NetworkPath, at now: MonotonicInstant) {
    let restricted = restrict(path)
    obey(settling.observe(restricted, at: now))
    guard let announced, !subscribersAhead.isEmpty, restricted == announced.path else { return }
    // The path has returned to the announced one: deliver it to the subscribers that received another one.
    bringBackThoseAhead(to: announced.path)
  }

  /// Delivers the path to each subscriber that is ahead, with the fields that have changed for it.
  private func bringBackThoseAhead(to path: NetworkPath) {
    highestNumber += 1
    let number = highestNumber
    let returns = subscribersAhead.map { subscriber in
      var next = path
      next.sequence = number
      next.noteChanges(since: subscriber.ahead?.path)
      return (PathUpdate(next), subscriber)
    }
    _ = removeSubscribersAhead()
    for (update, subscriber) in returns { deliver(update, [subscriber]) }
  }

  private func obey(_ action: Settling<NetworkPath>.Action) {
    switch action {
    case .none: timer?.set(nil)
    case .wake(let moment): timer?.set(moment)
    case .announce(let path):
      timer?.set(nil)
      announce(path)
    }
  }

  private func announce(_ path: NetworkPath) {
    var next = path
    highestNumber += 1
    next.sequence = highestNumber
    next.noteChanges(since: announced?.path)
    let update = PathUpdate(next)
    announced = update
    announcements += 1
    guard !subscribersAhead.isEmpty else { return deliver(update, subscribers) }
    let recipients = subscribers.filter { $0.ahead?.path != next }
    _ = removeSubscribersAhead()
    deliver(update, recipients)
  }

  private func removeSubscribersAhead() -> [Subscriber] {
    let ahead = subscribersAhead
    subscribersAhead = []
    for subscriber in ahead { subscriber.ahead = nil }
    return ahead
  }

  /// Delivers updates in order, even when a delivery causes the next one, and only to recipients that are still
  /// subscribed.
  private func deliver(_ update: PathUpdate, _ recipients: [Subscriber]) {
    if isDelivering { return deliveries.append((update, recipients)) }
    isDelivering = true
    deliver(update, to: recipients)
    while !deliveries.isEmpty {
      let (update, recipients) = deliveries.removeFirst()
      deliver(update, to: recipients)
    }
    isDelivering = false
  }

  private func deliver(_ update: PathUpdate, to recipients: [Subscriber]) {
    for subscriber in recipients where subscriber.stream === self {
      subscriber.delivered = update
      subscriber.deliver(update)
    }
  }
}

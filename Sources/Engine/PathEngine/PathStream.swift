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
    /// The latest delivery if it was not debounced, as the first one of a subscription is not; `nil` otherwise. The
    /// subscriber does not receive the same path again when it settles. If it does not, the announced path is replayed.
    fileprivate var undebounced: PathUpdate?

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
  /// The subscribers whose latest delivery was not debounced; mostly none.
  private var undebounced: [Subscriber] = []
  private var announced: PathUpdate?
  /// The highest number that any of the subscribers has seen, also in another stream. The next update has a higher one.
  private var highestNumber = -1
  /// The deliveries that wait, with their recipients. A delivery may cause the next announcement, which then has to
  /// wait, or the remaining subscribers would receive it first.
  private var backlog: [(update: PathUpdate, subscribers: [Subscriber])] = []
  private var isDelivering = false
  /// The number of updates that have been announced.
  private(set) var announcements = 0

  init(_ parameters: StreamParameters, representative: UInt32?, loop: EventLoop) {
    self.parameters = parameters
    self.representative = representative
    self.loop = loop
    settling = Settling(parameters.times) { announced, next in announced.isLoss(comparedTo: next) }
    timer = EngineTimers.settling(of: self, on: loop)
  }

  func stop() {
    if let timer { loop.remove(timer) }
    timer = nil
    for subscriber in subscribers { subscriber.stream = nil }
    subscribers = []
    undebounced = []
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
    noteUndebounced(update, subscriber)
    deliver(update, [subscriber])
  }

  func remove(_ subscriber: Subscriber) {
    guard let position = position(of: subscriber) else { return }
    subscribers.remove(at: position)
    if subscriber.undebounced != nil { undebounced.removeAll { $0 === subscriber } }
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
    for subscriber in leaving { (subscriber.stream, subscriber.undebounced) = (nil, nil) }
    undebounced.removeAll { $0.stream !== self }
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
        if delivered.path != announced.path { noteUndebounced(delivered, subscriber) }
      } else {
        deliver(announced, [subscriber])
      }
    }
  }

  private func noteUndebounced(_ update: PathUpdate, _ subscriber: Subscriber) {
    subscriber.undebounced = update
    undebounced.append(subscriber)
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
    guard let announced, !undebounced.isEmpty, restricted == announced.path else { return }
    // The path has returned to the announced one before another one has settled.
    replay(announced.path)
  }

  /// The pending path may have settled: the time of the stream's timer has come.
  func settled(at now: MonotonicInstant) { obey(settling.timerFired(at: now)) }

  /// Delivers the announced path to each subscriber with an undebounced one, with the fields that have changed for it.
  private func replay(_ path: NetworkPath) {
    highestNumber += 1
    let number = highestNumber
    let replays = undebounced.map { subscriber in
      var next = path
      next.sequence = number
      next.noteChanges(since: subscriber.undebounced?.path)
      return (PathUpdate(next), subscriber)
    }
    forgetUndebounced()
    for (update, subscriber) in replays { deliver(update, [subscriber]) }
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
    guard !undebounced.isEmpty else { return deliver(update, subscribers) }
    let recipients = subscribers.filter { $0.undebounced?.path != next }
    forgetUndebounced()
    deliver(update, recipients)
  }

  private func forgetUndebounced() {
    for subscriber in undebounced { subscriber.undebounced = nil }
    undebounced = []
  }

  /// Delivers updates in order, even when a delivery causes the next one, and only to recipients that are still
  /// subscribed.
  private func deliver(_ update: PathUpdate, _ recipients: [Subscriber]) {
    if isDelivering { return backlog.append((update, recipients)) }
    isDelivering = true
    deliver(update, to: recipients)
    while !backlog.isEmpty {
      let (update, recipients) = backlog.removeFirst()
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

internal import PathModel
internal import SystemIO

/// The updates for all subscriptions with the same settle times: one settling, one numbering.
final class PathStream {
  private struct Subscriber {
    let number: Int
    let deliver: (NetworkPath) -> Void
    /// Whether it was told a path that had not settled, so that settling back has to be told too.
    var isAhead: Bool
  }

  private let loop: EventLoop
  private var settling: Settling<MonotonicInstant, NetworkPath>
  private var timer: EventLoop.Timer?
  /// In the order in which they came, which is that of their numbers.
  private var subscribers: [Subscriber] = []
  private var announced: NetworkPath?

  init(_ times: SettleTimes, loop: EventLoop) {
    self.loop = loop
    settling = Settling(times) { announced, next in announced.isLoss(comparedTo: next) }
    timer = loop.makeTimer { [unowned self] in
      let now = MonotonicInstant.now
      self.obey(self.settling.timerFired(at: now))
    }
  }

  var isEmpty: Bool { subscribers.isEmpty }

  func stop() {
    if let timer { loop.remove(timer) }
    timer = nil
  }

  /// Adds a subscriber, which is told the path as it is now: the truth does not wait for others to settle.
  func add(_ number: Int, fresh: NetworkPath, _ deliver: @escaping (NetworkPath) -> Void) {
    if announced == nil {
      subscribers.append(Subscriber(number: number, deliver: deliver, isAhead: false))
      observe(fresh, at: .now)
      return
    }
    var first = fresh
    first.sequence = announced?.sequence ?? 0
    subscribers.append(Subscriber(number: number, deliver: deliver, isAhead: fresh != announced))
    deliver(first)
  }

  func remove(_ number: Int) {
    subscribers.removeAll { $0.number == number }
  }

  func observe(_ path: NetworkPath, at now: MonotonicInstant) {
    obey(settling.observe(path, at: now))
    if path == announced { tellThoseAhead() }
  }

  private func obey(_ action: Settling<MonotonicInstant, NetworkPath>.Action) {
    switch action {
    case .none: timer?.set(nil)
    case .wake(let moment): timer?.set(moment)
    case .announce(let path):
      timer?.set(nil)
      announce(path)
    }
  }

  private func announce(_ path: NetworkPath) {
    var update = path
    update.sequence = announced.map { $0.sequence + 1 } ?? 0
    update.changed = announced.map { path.fieldsChanged(since: $0) } ?? []
    announced = update
    for position in subscribers.indices { subscribers[position].isAhead = false }
    // A subscriber may cancel another one or itself while it is told: the list as it is now is gone through.
    for subscriber in subscribers { subscriber.deliver(update) }
  }

  /// The path went back to what was announced: those who were told otherwise hear of it.
  private func tellThoseAhead() {
    guard let announced, subscribers.contains(where: \.isAhead) else { return }
    let ahead = subscribers.filter(\.isAhead)
    for position in subscribers.indices { subscribers[position].isAhead = false }
    for subscriber in ahead { subscriber.deliver(announced) }
  }
}

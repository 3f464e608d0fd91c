internal import PathModel
internal import SystemIO

/// The updates for all subscriptions with the same settle times: one settling, one numbering.
final class PathStream {
  private struct Subscriber {
    let number: Int
    let deliver: (NetworkPath) -> Void
    /// What it was told before that had settled: it is not told the same again, and hears if it settles back.
    var ahead: NetworkPath?
  }

  private let loop: EventLoop
  private var settling: Settling<MonotonicInstant, NetworkPath>
  private var timer: EventLoop.Timer?
  /// In the order in which they came, which is that of their numbers.
  private var subscribers: [Subscriber] = []
  private var announced: NetworkPath?
  /// What is still to be told, and to whom. A delivery may lead to the next announcement: that one has to wait, or
  /// the others would hear of it first.
  private var deliveries: [(path: NetworkPath, subscribers: [Int])] = []
  private var isDelivering = false

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
  ///
  /// Its first path has the number of what the others were told last.
  func add(_ number: Int, fresh: NetworkPath, _ deliver: @escaping (NetworkPath) -> Void) {
    guard let announced else {
      subscribers.append(Subscriber(number: number, deliver: deliver, ahead: nil))
      observe(fresh, at: .now)
      return
    }
    subscribers.append(Subscriber(number: number, deliver: deliver, ahead: fresh == announced ? nil : fresh))
    var first = fresh
    first.sequence = announced.sequence
    tell(first, [number])
  }

  func remove(_ number: Int) {
    subscribers.removeAll { $0.number == number }
  }

  func observe(_ path: NetworkPath, at now: MonotonicInstant) {
    obey(settling.observe(path, at: now))
    guard let announced, subscribers.contains(where: { $0.ahead != nil }), path == announced else { return }
    tellThoseAhead(announced)
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
    let recipients = subscribers.filter { $0.ahead != update }.map(\.number)
    for position in subscribers.indices { subscribers[position].ahead = nil }
    tell(update, recipients)
  }

  /// The path went back to what was announced: those who were told otherwise hear of it.
  private func tellThoseAhead(_ announced: NetworkPath) {
    let recipients = subscribers.filter { $0.ahead != nil }.map(\.number)
    for position in subscribers.indices { subscribers[position].ahead = nil }
    tell(announced, recipients)
  }

  /// Delivers in order, whatever the deliveries lead to, and only to those who are still subscribed by then.
  private func tell(_ path: NetworkPath, _ recipients: [Int]) {
    deliveries.append((path, recipients))
    if isDelivering { return }
    isDelivering = true
    while !deliveries.isEmpty {
      let (path, recipients) = deliveries.removeFirst()
      for number in recipients { subscribers.first { $0.number == number }?.deliver(path) }
    }
    isDelivering = false
  }
}

internal import PathModel
internal import SystemIO

/// The updates for all subscriptions with the same settle times: one settling, one numbering.
final class PathStream {
  private struct Subscriber {
    var deliver: (NetworkPath) -> Void
    /// Whether it was told a path that had not settled, so that settling back has to be told too.
    var isAhead: Bool
  }

  private let loop: EventLoop
  private var settling: Settling<MonotonicInstant, NetworkPath>
  private var timer: EventLoop.Timer?
  private var subscribers: [Int: Subscriber] = [:]
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
      subscribers[number] = Subscriber(deliver: deliver, isAhead: false)
      observe(fresh, at: .now)
      return
    }
    var first = fresh
    first.sequence = announced?.sequence ?? 0
    subscribers[number] = Subscriber(deliver: deliver, isAhead: fresh != announced)
    deliver(first)
  }

  func remove(_ number: Int) {
    subscribers[number] = nil
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
    for number in subscribers.keys.sorted() {
      subscribers[number]?.isAhead = false
      subscribers[number]?.deliver(update)
    }
  }

  /// The path went back to what was announced: those who were told otherwise hear of it.
  private func tellThoseAhead() {
    guard let announced else { return }
    for number in subscribers.keys.sorted() where subscribers[number]?.isAhead == true {
      subscribers[number]?.isAhead = false
      subscribers[number]?.deliver(announced)
    }
  }
}

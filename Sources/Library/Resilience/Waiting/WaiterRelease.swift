internal import SystemIO

/// The order in which operations that wait for a path begin again.
///
/// When the path comes, each waiter gets a random moment within the spread. At its moment it is released, unless as
/// many as allowed are under way: then it follows when one of these ends. If the path goes, those that are not released
/// wait for the next one. A waiter whose deadline comes first has expired.
struct WaiterRelease<Instant: InstantProtocol> where Instant.Duration == Duration {
  /// The waiters that a step has ended, in order.
  struct Step: Equatable {
    var released: [Int] = []
    var expired: [Int] = []
  }

  private struct Moment: Comparable {
    var instant: Instant
    var waiter: Int

    static func < (left: Moment, right: Moment) -> Bool {
      (left.instant, left.waiter) < (right.instant, right.waiter)
    }
  }

  private let spread: Duration
  private let limit: Int
  private var generator: SpreadGenerator
  private var isMet = false
  /// The waiters, which are not released yet.
  private var waiting: Set<Int> = []
  /// The moments of release, while the path is met. Waiters that have gone stay in the heaps until their moment.
  private var releases = Heap<Moment>()
  private var deadlines = Heap<Moment>()
  /// The number of operations that were released and have not ended.
  private(set) var underWay = 0

  /// - Parameters:
  ///   - spread: The time over which waiters are released.
  ///   - limit: The largest number of released operations that run at a time; at least one runs.
  ///   - seed: The seed of the random moments.
  init(spread: Duration, limit: Int, seed: UInt64) {
    self.spread = max(.zero, spread)
    self.limit = max(1, limit)
    generator = SpreadGenerator(state: seed)
  }

  /// The number of waiters.
  var count: Int { waiting.count }

  /// The moment at which ``advance(to:)`` is due; `nil` for none.
  var nextMoment: Instant? {
    let release = underWay < limit ? releases.first?.instant : nil
    guard let release, let deadline = deadlines.first?.instant else { return release ?? deadlines.first?.instant }
    return min(release, deadline)
  }

  /// Adds a waiter.
  mutating func add(_ waiter: Int, deadline: Instant?, at now: Instant) {
    waiting.insert(waiter)
    if let deadline { deadlines.insert(Moment(instant: deadline, waiter: waiter)) }
    if isMet { schedule(waiter, at: now) }
  }

  /// Removes a waiter that was cancelled.
  mutating func remove(_ waiter: Int) {
    waiting.remove(waiter)
    dropGone()
  }

  /// Notes the state of the path.
  mutating func pathChanged(isMet: Bool, at now: Instant) {
    guard isMet != self.isMet else { return }
    self.isMet = isMet
    releases.removeAll()
    if isMet { for waiter in waiting.sorted() { schedule(waiter, at: now) } }
  }

  /// Notes that an operation that was released has ended.
  mutating func operationEnded() { underWay = max(0, underWay - 1) }

  /// Releases the waiters whose moment has come.
  mutating func advance(to now: Instant) -> Step {
    var step = Step()
    dropGone()
    while let deadline = deadlines.first, deadline.instant <= now {
      _ = deadlines.removeFirst()
      if waiting.remove(deadline.waiter) != nil { step.expired.append(deadline.waiter) }
    }
    dropGone()
    while underWay < limit, let release = releases.first, release.instant <= now {
      _ = releases.removeFirst()
      waiting.remove(release.waiter)
      underWay += 1
      step.released.append(release.waiter)
      dropGone()
    }
    dropGone()
    return step
  }

  private mutating func schedule(_ waiter: Int, at now: Instant) {
    releases.insert(Moment(instant: now.after(spread * generator.fraction()), waiter: waiter))
  }

  /// Removes the moments of waiters that have gone from the fronts of the heaps, so that no timer is set for them.
  private mutating func dropGone() {
    while let release = releases.first, !waiting.contains(release.waiter) { _ = releases.removeFirst() }
    while let deadline = deadlines.first, !waiting.contains(deadline.waiter) { _ = deadlines.removeFirst() }
  }
}

/// Random numbers for the spread (SplitMix64). They are drawn under a lock, where no foreign generator may run.
struct SpreadGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

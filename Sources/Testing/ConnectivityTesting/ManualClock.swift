internal import SystemIO

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let waiting = Task { try await clock.sleep(for: .seconds(5)) }
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(5))
/// try await waiting.value
/// ```
///
/// A task that sleeps until a time limit that nobody has set is no sleeper to a test: the total time of a `URLSession`,
/// seven days, ends no test. Only ``advance(by:)`` reaches it.
///
/// A test that waits for tasks to sleep in vain for three minutes of real time ends with a message about those that do.
public final class ManualClock: Clock, Sendable {
  /// A moment of a manual clock: the time since the clock's beginning.
  public struct Instant: InstantProtocol {
    /// The time since the clock's beginning.
    public var offset: Duration

    /// The moment at this time after the clock's beginning.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The moment at this time after the present one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration.countable) }
    /// The time until another moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether a moment is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var isImplied = ImpliedLimit.isMark
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    /// Sleepers and watchers that were cancelled before they slept or waited.
    var cancelled: Set<Int> = []
    var nextNumber = 0
    var watchers: [Int: Watcher] = [:]

    /// The sleepers that a test waits for.
    var awaited: [Sleeper] { sleepers.values.filter { !$0.isImplied } }

    mutating func newNumber() -> Int {
      nextNumber += 1
      return nextNumber
    }

    /// Removes the sleepers whose deadline has come, the earliest first.
    mutating func takeDue() -> [Sleeper] {
      let due = sleepers.filter { $0.value.deadline <= now }
      for number in due.keys { sleepers[number] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
    }
  }

  /// A task that waits until other tasks sleep as it expects.
  private struct Watcher {
    var isContent: (State) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private let state = Guarded(State())
  /// The longest real time for which a test waits for tasks to sleep.
  private let patience: Duration

  /// A clock at its beginning.
  public init() { patience = .seconds(180) }

  package init(patience: Duration) { self.patience = patience }

  /// The present moment.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock can be moved by any time.
  public var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep now.
  public var sleeperCount: Int { state.withLock { $0.awaited.count } }

  /// Moves the clock forward. Tasks whose deadline has come wake up, the earliest first.
  public func advance(by duration: Duration) {
    wake(
      state.withLock { state in
        state.now = state.now.advanced(by: duration)
        return state.takeDue()
      })
  }

  /// Moves the clock to the earliest deadline of a task that sleeps, which wakes up. If no task sleeps, this waits for
  /// one, or for the end of its own task.
  ///
  /// A task that begins to sleep later is not known yet. If another deadline is to be the next one, wait for it:
  ///
  /// ```swift
  /// await clock.waitForSleeper(until: ManualClock.Instant(offset: .seconds(10)))
  /// await clock.advanceToNextSleeper()
  /// ```
  public func advanceToNextSleeper() async {
    while !Task.isCancelled {
      await wait(until: "a task sleeps") { !$0.awaited.isEmpty }
      let due = state.withLock { state in
        guard let next = state.awaited.map(\.deadline).min() else { return [Sleeper]() }
        state.now = max(state.now, next)
        return state.takeDue()
      }
      if !due.isEmpty { return wake(due) }
    }
  }

  private func wake(_ sleepers: [Sleeper]) {
    ForeignCode.run { for sleeper in sleepers { sleeper.continuation.resume() } }
  }

  /// Sleeps until the clock is moved to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { $0.newNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(number, Sleeper(deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      ForeignCode.run { sleeper?.continuation.resume(throwing: CancellationError()) }
    }
    state.withLock { state in _ = state.cancelled.remove(number) }
  }

  private func add(_ number: Int, _ sleeper: Sleeper) {
    let (isCancelled, isDue, watchers) = state.withLock { state in
      let isCancelled = state.cancelled.remove(number) != nil
      let isDue = sleeper.deadline <= state.now
      if !isCancelled, !isDue { state.sleepers[number] = sleeper }
      let content = state.watchers.filter { $0.value.isContent(state) }
      for number in content.keys { state.watchers[number] = nil }
      return (isCancelled, isDue, content.values)
    }
    ForeignCode.run {
      if isCancelled {
        sleeper.continuation.resume(throwing: CancellationError())
      } else if isDue {
        sleeper.continuation.resume()
      }
      for watcher in watchers { watcher.continuation.resume() }
    }
  }

  /// Waits until at least so many tasks sleep, so that a move of the clock affects all of them; or until its own task
  /// is cancelled.
  public func waitForSleepers(_ count: Int) async {
    await wait(until: "\(count) tasks sleep") { $0.awaited.count >= count }
  }

  /// Waits until a task sleeps whose deadline is this moment, or until its own task is cancelled.
  ///
  /// So a test of a time limit need not know how many other tasks sleep meanwhile, and how often.
  public func waitForSleeper(until deadline: Instant) async {
    await wait(until: "a task sleeps until \(deadline.offset)") {
      $0.sleepers.values.contains { $0.deadline == deadline }
    }
  }

  private func wait(until goal: String, _ isContent: @escaping @Sendable (State) -> Bool) async {
    let number = state.withLock { $0.newNumber() }
    let watchdog = Task { [patience] in
      if (try? await Task.sleep(for: patience)) != nil { endTest(waitingUntil: goal) }
    }
    defer { watchdog.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(number) != nil || isContent(state) { return true }
          state.watchers[number] = Watcher(isContent: isContent, continuation: continuation)
          return false
        }
        if isOver { ForeignCode.run { continuation.resume() } }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: number)
        if watcher == nil { state.cancelled.insert(number) }
        return watcher
      }
      ForeignCode.run { watcher?.continuation.resume() }
    }
    state.withLock { state in _ = state.cancelled.remove(number) }
  }

  /// A test that hangs says nothing, so this ends its process.
  private func endTest(waitingUntil goal: String) {
    let (awaited, implied) = state.withLock { state in
      (state.awaited.map(\.deadline.offset).sorted(), state.sleepers.count - state.awaited.count)
    }
    let list = awaited.map { "\($0)" }.joined(separator: ", ")
    let deadlines = awaited.isEmpty ? "none does" : "these do, until: \(list)"
    fatalError(
      """
      ManualClock has waited for \(patience) of real time until \(goal). At \(now.offset) of its own time, \
      \(deadlines)\(implied > 0 ? ", and \(implied) until a time limit that nobody has set" : ""). The work has \
      ended, or it waits for something else than this clock. Wait for as many as sleep, or move it with advance(by:).
      """)
  }
}

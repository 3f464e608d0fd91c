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
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    /// Sleepers that were cancelled before they slept.
    var cancelled: Set<Int> = []
    var nextNumber = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  /// A clock at its beginning.
  public init() {}

  /// The present moment.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock can be moved by any time.
  public var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep now.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock forward. Tasks whose deadline has come wake up, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    ForeignCode.run { for (_, sleeper) in due { sleeper.continuation.resume() } }
  }

  /// Sleeps until the clock is moved to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
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
      let content = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= state.sleepers.count }
      return (isCancelled, isDue, content)
    }
    ForeignCode.run {
      if isCancelled {
        sleeper.continuation.resume(throwing: CancellationError())
      } else if isDue {
        sleeper.continuation.resume()
      }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until at least so many tasks sleep, so that a move of the clock affects all of them.
  public func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isContent = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isContent { ForeignCode.run { continuation.resume() } }
    }
  }
}

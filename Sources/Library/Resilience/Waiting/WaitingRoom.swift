internal import ConnectivityCore
internal import SystemIO

/// The end of a wait for a path. As a type without parameters, it lets the frames of a wait join into one, for the row
/// `resilience-waiters` of the benchmarks.
enum WaitingOutcome: Hashable, Sendable {
  /// There is a path. The operation is under way until ``WaitingRoom/operationEnded()``.
  case released
  case expired
  case cancelled
}

/// The operations of a program that wait for the same path, with one subscription and one timer for all of them.
final class WaitingRoom<C: Clock>: Sendable where C.Duration == Duration {
  typealias Continuation = CheckedContinuation<WaitingOutcome, Never>

  private struct State {
    var release: WaiterRelease<C.Instant>
    var continuations: [Int: Continuation] = [:]
    /// Waiters that were cancelled before they waited.
    var cancelled: Set<Int> = []
    var nextWaiter = 0
    /// The moment of the timer that is set, and its number.
    var timerMoment: C.Instant?
    var timerNumber = 0
    var timer: Task<Void, Never>?
    var isObserving = false
    var endObserving: (@Sendable () -> Void)?

    /// Ends the waits of those whose moment or deadline has come.
    mutating func advance(to now: C.Instant, _ wakeups: inout [(Continuation, WaitingOutcome)]) {
      let step = release.advance(to: now)
      for (waiters, outcome) in [(step.expired, WaitingOutcome.expired), (step.released, .released)] {
        for waiter in waiters {
          if let continuation = continuations.removeValue(forKey: waiter) { wakeups.append((continuation, outcome)) }
        }
      }
    }
  }

  /// The changes that one input makes, to be carried out after the lock is released.
  private struct Effects {
    var wakeups: [(Continuation, WaitingOutcome)] = []
    var formerTimer: Task<Void, Never>?
    /// The timer to set, if another one is needed.
    var timer: (number: Int, moment: C.Instant)?
  }

  private let monitor: PathMonitor
  private let requirement: PathRequirement
  private let clock: C
  private let state: Guarded<State>

  init(_ reconnection: Reconnection, on monitor: PathMonitor, clock: C, seed: UInt64) {
    // A settled path would release operations that have just failed because the path is gone.
    self.monitor = monitor.withoutSettling()
    requirement = reconnection.requirement
    self.clock = clock
    let release = WaiterRelease<C.Instant>(
      spread: reconnection.spread, limit: reconnection.maximumConcurrent, seed: seed)
    state = Guarded(State(release: release))
  }

  /// Follows the path, if it is not followed yet.
  func observe() {
    let isFirst = state.withLock { state in
      defer { state.isObserving = true }
      return !state.isObserving
    }
    guard isFirst else { return }
    let end = monitor.observe { [weak self] path in self?.take(path) }
    state.exchange(\.endObserving, for: end)
  }

  /// Ends the subscription and the timer. Nobody waits any more.
  func close() {
    let (end, timer) = state.withLock { state in
      defer { (state.endObserving, state.timer) = (nil, nil) }
      return (state.endObserving, state.timer)
    }
    ForeignCode.run {
      end?()
      timer?.cancel()
    }
  }

  /// A number for the next wait of a visit.
  func nextWaiter() -> Int {
    state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
  }

  /// Notes that a released operation has ended: the next one may begin.
  func operationEnded() { change { state, _ in state.release.operationEnded() } }

  /// Resumes the continuation when there is a path.
  func join(_ waiter: Int, _ continuation: Continuation, deadline: C.Instant?) {
    change(waking: continuation) { state, now in
      if state.cancelled.remove(waiter) != nil { return .cancelled }
      state.continuations[waiter] = continuation
      state.release.add(waiter, deadline: deadline, at: now)
      return nil
    }
  }

  /// Cancels a wait, which may not have begun.
  func cancel(_ waiter: Int) {
    var continuation: Continuation?
    change { state, _ in
      continuation = state.continuations.removeValue(forKey: waiter)
      if continuation == nil { state.cancelled.insert(waiter) } else { state.release.remove(waiter) }
    }
    ForeignCode.run { continuation?.resume(returning: .cancelled) }
  }

  private func take(_ path: NetworkPath) {
    // An unknown path holds up nothing.
    let isMet = requirement.gatingVerdict(on: path) != .notMet
    change { state, now in state.release.pathChanged(isMet: isMet, at: now) }
  }

  private func timerFired(_ number: Int) {
    change { state, _ in
      if state.timerNumber == number { (state.timerMoment, state.timer) = (nil, nil) }
    }
  }

  private func change(_ input: (inout State, C.Instant) -> Void) {
    change(waking: nil) { state, now in
      input(&state, now)
      return nil
    }
  }

  /// Gives an input to the state, then releases the waiters whose moment has come and sets the timer for the next.
  ///
  /// - Parameter continuation: The continuation to resume if the input returns an outcome.
  private func change(waking continuation: Continuation?, _ input: (inout State, C.Instant) -> WaitingOutcome?) {
    let now = ForeignCode.run { clock.now }
    var effects = state.withLock { state -> Effects in
      var effects = Effects()
      if let outcome = input(&state, now), let continuation { effects.wakeups.append((continuation, outcome)) }
      state.advance(to: now, &effects.wakeups)
      guard state.release.nextMoment != state.timerMoment else { return effects }
      state.timerMoment = state.release.nextMoment
      state.timerNumber += 1
      effects.formerTimer = state.timer
      state.timer = nil
      effects.timer = state.timerMoment.map { (state.timerNumber, $0) }
      return effects
    }
    ForeignCode.run {
      for (continuation, outcome) in effects.wakeups { continuation.resume(returning: outcome) }
      effects.formerTimer?.cancel()
    }
    if let timer = effects.timer.take() { setTimer(timer.number, at: timer.moment) }
  }

  private func setTimer(_ number: Int, at moment: C.Instant) {
    let task = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: moment, tolerance: nil)) != nil else { return }
      self?.timerFired(number)
    }
    let isCurrent = state.withLock { state in
      let isCurrent = state.timerNumber == number && state.timerMoment != nil
      if isCurrent { state.timer = task }
      return isCurrent
    }
    // Another thread has set the next timer, or this one has fired.
    if !isCurrent { ForeignCode.run { task.cancel() } }
  }
}

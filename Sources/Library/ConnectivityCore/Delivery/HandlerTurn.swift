internal import Dispatch
internal import SystemIO

/// The turn to call a monitor's handler. All runs of a monitor share it, so that one call is under way at most,
/// whatever the queues: also where a handler ends the run that calls it and starts another.
final class HandlerTurn: Sendable {
  private struct State {
    /// The thread of the call that is under way.
    var thread: UInt?
    /// Calls that wait for the turn.
    var next: [@Sendable () -> Void] = []
    /// A semaphore for each thread that waits for the end of the call.
    var waiters: [DispatchSemaphore] = []
    /// Whether a thread has waited in vain. If so, no other thread waits for this call.
    var isGivenUp = false
  }

  private let state = Guarded(State())

  /// Acquires the turn for the current thread. If another call has the turn, this returns `false` at once, and `later`
  /// is called when the turn is released.
  func acquire(orLater later: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.thread == nil else {
        state.next.append(later)
        return false
      }
      state.thread = SystemThread.current
      return true
    }
  }

  /// Releases the turn.
  func release() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    for waiter in ended.waiters { waiter.signal() }
    for later in ended.next { later() }
  }

  /// Waits for the end of a call that is under way on another thread, but no longer than the limit.
  func wait(_ limit: DispatchTimeInterval) {
    let waiter: DispatchSemaphore? = state.withLock { state in
      guard let thread = state.thread, thread != SystemThread.current, !state.isGivenUp else { return nil }
      let waiter = DispatchSemaphore(value: 0)
      state.waiters.append(waiter)
      return waiter
    }
    guard let waiter, waiter.wait(timeout: .now() + limit) == .timedOut else { return }
    state.withLock { state in
      // Unless that call has ended meanwhile.
      if state.waiters.contains(where: { $0 === waiter }) { state.isGivenUp = true }
    }
  }
}

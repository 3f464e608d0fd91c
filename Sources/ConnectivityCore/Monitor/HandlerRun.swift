internal import Dispatch
internal import PathModel
internal import SystemIO

/// The calls of a handler from a start to its end.
///
/// At most one call is under way and at most one path waits, the newest.
final class HandlerRun: Sendable {
  /// How long ``end()`` waits for a call that is under way. A handler may itself wait for who ends it; and one that
  /// was begun so long ago has surely started.
  private static let patience = DispatchTimeInterval.seconds(1)

  private struct State {
    var waiting: NetworkPath?
    /// What the handler was called with last.
    var handled: NetworkPath?
    /// Whether the queue has been handed a call that has not ended.
    var isScheduled = false
    var isOver = false
    /// The thread that runs the handler.
    var thread: UInt?
    /// Those who wait until it does not.
    var waiters: [DispatchSemaphore] = []
  }

  private let queue: DispatchQueue
  private let handler: @Sendable () -> (@Sendable (NetworkPath) -> Void)?
  private let state = Guarded(State())

  /// A run that calls what `handler` returns at that moment.
  init(_ queue: DispatchQueue, handler: @escaping @Sendable () -> (@Sendable (NetworkPath) -> Void)?) {
    self.queue = queue
    self.handler = handler
  }

  /// Has the handler called with the path, unless a newer one comes before its turn.
  func offer(_ path: NetworkPath) {
    let isNew = state.withLock { state in
      if state.isOver { return false }
      state.waiting = path
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { schedule() }
  }

  /// Has the queue get ready for a path that is about to be offered: while what the source says is being read, a thread
  /// wakes up, which takes as long. Nothing is called if no path comes.
  func expect() {
    let isNew = state.withLock { state in
      if state.isOver || state.isScheduled { return false }
      state.isScheduled = true
      return true
    }
    if isNew { schedule() }
  }

  /// No call starts after this has returned.
  func end() {
    let waiter: DispatchSemaphore? = state.withLock { state in
      state.isOver = true
      state.waiting = nil
      guard let thread = state.thread, thread != SystemThread.current else { return nil }
      let waiter = DispatchSemaphore(value: 0)
      state.waiters.append(waiter)
      return waiter
    }
    _ = waiter?.wait(timeout: .now() + Self.patience)
  }

  private func schedule() {
    queue.async { self.call() }
  }

  private func call() {
    // Fetched before: the handler of a monitor that is being released is gone.
    let handler = handler()
    let call: (() -> Void)? = state.withLock { state in
      guard !state.isOver, let path = state.waiting else {
        state.isScheduled = false
        return nil
      }
      state.waiting = nil
      state.thread = SystemThread.current
      guard let handler, path != state.handled else { return {} }
      state.handled = path
      return { handler(path) }
    }
    guard let call else { return }
    call()
    let (waiters, goesOn) = state.withLock { state in
      defer { state.waiters = [] }
      state.thread = nil
      state.isScheduled = state.waiting != nil
      return (state.waiters, state.isScheduled)
    }
    for waiter in waiters { waiter.signal() }
    if goesOn { schedule() }
  }
}

internal import Dispatch
internal import PathModel
internal import SystemIO

/// The calls of a handler on its queue, from a start to its end.
///
/// At most one call is under way and at most one path waits, the newest.
final class HandlerRun: PathReceiver {
  private struct State {
    var waiting: NetworkPath?
    /// The path of the latest call.
    var handled: NetworkPath?
    /// Whether a call waits on the queue, waits for its turn, or is under way.
    var isScheduled = false
    var isOver = false
  }

  let queue: DispatchQueue
  /// An `NWPathMonitor` that the program may not keep itself; it lives as long as the run.
  private let owner: (any AnyObject & Sendable)?
  private let turn: HandlerTurn
  private let handler: @Sendable () -> (@Sendable (NetworkPath) -> Void)?
  private let state = Guarded(State())

  /// A run that calls the handler that `handler` returns when it is its turn.
  init(
    _ queue: DispatchQueue, owner: (any AnyObject & Sendable)?, turn: HandlerTurn,
    handler: @escaping @Sendable () -> (@Sendable (NetworkPath) -> Void)?
  ) {
    self.queue = queue
    self.owner = owner
    self.turn = turn
    self.handler = handler
  }

  /// Stores the path for the next call. A newer path replaces it if it comes before the call.
  func offer(_ path: NetworkPath) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      state.waiting = path
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// No call starts after this; one that is under way has the turn.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = nil
    }
  }

  /// Hands the call to the queue.
  func wake() {
    queue.async { self.call() }
  }

  private func call() {
    // Take the turn before reading the state: `cancel()` waits for the thread that holds it.
    guard turn.acquire(orLater: { self.wake() }) else { return }
    let path: NetworkPath? = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    // Fetched after the path: whoever sets a handler from now on offers the path again.
    if let path, let handler = handler(), begins(path) { ForeignCode.run { handler(path) } }
    let goesOn = state.withLock { state in
      state.isScheduled = state.waiting != nil
      return state.isScheduled
    }
    turn.release()
    if goesOn { wake() }
  }

  /// Whether the handler is to be called with the path, which is then the latest that it was called with.
  private func begins(_ path: NetworkPath) -> Bool {
    state.withLock { state in
      if state.isOver || path == state.handled { return false }
      state.handled = path
      return true
    }
  }
}

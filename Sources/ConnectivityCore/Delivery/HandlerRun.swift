internal import Dispatch
internal import PathModel
internal import SystemIO

/// The calls of a handler from a start to its end.
///
/// At most one call is under way and at most one path waits, the newest.
package final class HandlerRun: Sendable {
  private struct State {
    var waiting: NetworkPath?
    /// What the handler was called with last.
    var handled: NetworkPath?
    /// Whether a call has been handed to the queue, or waits for its turn, that has not ended.
    var isScheduled = false
    var isOver = false
  }

  /// Whether ``callHere()`` may be used: what is on the main queue is for the main thread alone. Told by the label, as
  /// each `DispatchQueue.main` is another object.
  let mayBeCalledAnywhere: Bool

  let queue: DispatchQueue
  /// Lives as long as the run: an `NWPathMonitor` that nobody else keeps.
  private let owner: (any AnyObject & Sendable)?
  private let turn: HandlerTurn
  private let handler: @Sendable () -> (@Sendable (NetworkPath) -> Void)?
  private let state = Guarded(State())

  /// A run that calls what `handler` returns at that moment, when it is its turn.
  init(
    _ queue: DispatchQueue, owner: (any AnyObject & Sendable)?, turn: HandlerTurn,
    handler: @escaping @Sendable () -> (@Sendable (NetworkPath) -> Void)?
  ) {
    self.queue = queue
    self.owner = owner
    mayBeCalledAnywhere = queue.label != DispatchQueue.main.label
    self.turn = turn
    self.handler = handler
  }

  /// Has the handler called with the path, unless a newer one comes before its turn.
  ///
  /// - Returns: Whether a call is due then: ``schedule()`` or ``callHere()`` has to be called, once no lock is held. The
  ///   thread that wakes up for it often runs at once, in place of this one.
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

  /// Hands a call that is due to the queue.
  package func schedule() {
    queue.async { self.call() }
  }

  /// Makes a call that is due on the thread that asks, in the queue's order: that may take any time, also when the
  /// handler does not.
  func callHere() {
    queue.sync { self.call() }
  }

  private func call() {
    // The turn before the look at what there is to do: who ends the run waits for who has it.
    guard turn.take(orLater: { self.schedule() }) else { return }
    // Fetched before: the handler of a monitor that is being released is gone.
    let handler = handler()
    let call: (() -> Void)? = state.withLock { state in
      guard !state.isOver, let path = state.waiting else { return nil }
      state.waiting = nil
      guard let handler, path != state.handled else { return nil }
      state.handled = path
      return { handler(path) }
    }
    if let call { ForeignCode.run(call) }
    let goesOn = state.withLock { state in
      state.isScheduled = state.waiting != nil
      return state.isScheduled
    }
    turn.giveBack()
    if goesOn { schedule() }
  }
}

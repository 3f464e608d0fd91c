internal import PathModel
internal import SystemIO

/// Calls an observer with each path, in order and one at a time. If no other thread is calling the observer, the thread
/// that wakes the observation delivers all stored paths, its own and those of others.
final class PathObservation: PathReceiver {
  private struct State {
    var waiting: [NetworkPath] = []
    /// The path that was stored last.
    var last: NetworkPath?
    /// Whether a thread calls the observer, or is about to.
    var isDelivering = false
    var isOver = false
  }

  private let observer: @Sendable (NetworkPath) -> Void
  /// To be called when the monitor ends before the observation.
  let whenReleased: @Sendable () -> Void
  private let state = Guarded(State())

  init(_ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void) {
    self.observer = observer
    self.whenReleased = whenReleased
  }

  func offer(_ path: NetworkPath) -> Bool {
    state.withLock { state in
      guard !state.isOver, path != state.last else { return false }
      state.last = path
      state.waiting.append(path)
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
  }

  func wake() {
    while let path = nextPath() { ForeignCode.run { observer(path) } }
  }

  private func nextPath() -> NetworkPath? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isDelivering = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// No call starts after this; one that is under way goes on.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
    }
  }
}

internal import PathModel
internal import SystemIO

/// The paths of a monitor and one timer, as one sequence of events for one task.
final class TimedPaths<C: Clock>: Sendable where C.Duration == Duration {
  enum Event: Sendable {
    /// The path, first as it is.
    case path(NetworkPath)
    /// The moment of the timer has come.
    case time
  }

  private struct State {
    var reader: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// Counts the settings of the timer: what an earlier one still says is void.
    var setting = 0
  }

  let clock: C
  /// Ends with the monitor's iterations, or with ``stop()``. For one task.
  let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let state = Guarded(State())

  init(_ monitor: PathMonitor, clock: C) {
    self.clock = clock
    (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let continuation = continuation
    let reader = Task {
      for await path in monitor { continuation.yield(.path(path)) }
      continuation.finish()
    }
    state.withLock { $0.reader = reader }
  }

  /// Has the moment told once; `nil` for never. It replaces what was set before.
  func setTimer(_ moment: C.Instant?) {
    state.withLock { state in
      state.timer?.cancel()
      state.setting += 1
      guard let moment else {
        state.timer = nil
        return
      }
      let setting = state.setting
      state.timer = Task { [weak self, clock] in
        guard (try? await clock.sleep(until: moment, tolerance: nil)) != nil else { return }
        self?.timeIsUp(setting)
      }
    }
  }

  private func timeIsUp(_ setting: Int) {
    state.withLock { state in
      guard state.setting == setting else { return }
      state.timer = nil
      _ = continuation.yield(.time)
    }
  }

  func stop() {
    let tasks = state.withLock { state in
      defer { (state.reader, state.timer) = (nil, nil) }
      state.setting += 1
      return [state.reader, state.timer]
    }
    for task in tasks { task?.cancel() }
    continuation.finish()
  }

  deinit {
    stop()
  }
}

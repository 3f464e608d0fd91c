internal import PathModel
internal import SystemIO

/// The paths of a monitor and one timer, as one sequence of events for one task.
final class TimedPaths<C: Clock>: Sendable where C.Duration == Duration {
  enum Event: Sendable {
    /// The path, first as it is.
    case path(NetworkPath)
    /// The moment of the timer has come: that of the setting with the number.
    case time(setting: Int)
  }

  private struct State {
    var reader: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// Counts the settings of the timer: what an earlier one still says is void.
    var setting = 0
  }

  let clock: C
  /// Ends with the monitor's iterations, or with ``stop()``. For one task.
  let events: AsyncFilterSequence<AsyncStream<Event>>
  private let continuation: AsyncStream<Event>.Continuation
  private let state: Guarded<State>

  /// Follows the monitor from before this returns.
  init(_ monitor: PathMonitor, clock: C) {
    self.clock = clock
    let state = Guarded(State())
    self.state = state
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    self.continuation = continuation
    events = stream.filter { event in
      // A moment may wait behind the path that has made it void.
      guard case .time(let setting) = event else { return true }
      return state.withLock { $0.setting == setting }
    }
    let iterator = monitor.makeAsyncIterator()
    let reader = Task {
      var iterator = iterator
      while let path = await iterator.next() { continuation.yield(.path(path)) }
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
      _ = continuation.yield(.time(setting: setting))
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

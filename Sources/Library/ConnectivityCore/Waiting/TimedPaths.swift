internal import PathModel
internal import SystemIO

/// The paths of a monitor and one timer, as one sequence of events for one task.
final class TimedPaths<C: Clock>: Sendable where C.Duration == Duration {
  let clock: C
  private let iteration: PathIteration<TimedEvents>
  private let timer = Guarded<Task<Void, Never>?>(nil)

  /// Subscribes to the monitor before it returns.
  init(_ monitor: PathMonitor, clock: C) {
    self.clock = clock
    iteration = PathIteration(monitor, TimedEvents())
  }

  deinit { stop() }

  /// The next event; `nil` once the monitor or the task is cancelled, and after ``stop()``.
  func next(isolation actor: isolated (any Actor)? = #isolation) async -> TimedEvents.Event? {
    await iteration.next(isolation: actor)
  }

  /// The first path: at once if the source is followed; `nil` if the source does not deliver in time.
  ///
  /// - Throws: `CancellationError` when the monitor or the task is cancelled.
  func first(within patience: Duration) async throws -> NetworkPath? {
    // A path that is there needs no timer.
    if case .path(let path)? = iteration.mailbox.change({ $0.next() })?.result ?? nil { return path }
    setTimer(clock.now.after(patience))
    defer { setTimer(nil) }
    switch await next() {
    case .path(let path): return path
    case .time: return nil
    case nil: throw CancellationError()
    }
  }

  /// Sets the timer, which adds one event at the moment; `nil` for never. A new setting replaces the one before, even
  /// if its event waits to be read.
  ///
  /// - Parameter isImplied: Whether the moment is a time limit that nobody has set.
  func setTimer(_ moment: C.Instant?, isImplied: Bool = false) {
    let mailbox = iteration.mailbox
    guard let setting = mailbox.change({ $0.set() })?.result else { return }
    replaceTimer(
      with: moment.map { moment in
        Task { [clock] in
          let sleep = { try? await clock.sleep(until: moment, tolerance: nil) }
          guard await ImpliedLimit.$isMark.withValue(isImplied, operation: sleep) != nil else { return }
          if mailbox.change({ $0.come(setting) })?.isWakeDue == true { mailbox.wake() }
        }
      })
  }

  /// Ends the sequence and the timer.
  func stop() {
    iteration.end()
    replaceTimer(with: nil)
  }

  /// Cancelling calls the clock, which is foreign code.
  private func replaceTimer(with task: Task<Void, Never>?) {
    let former = timer.exchange(\.self, for: task)
    ForeignCode.run { former?.cancel() }
  }
}

/// The unread events of the paths and the timer: at most the newest path and one event of the timer, in the order in
/// which they came. A newer path replaces the one that waits, so that frequent paths cannot hold back the timer.
struct TimedEvents: MailboxContent {
  enum Event: Sendable, Equatable {
    /// The path, first as it is.
    case path(NetworkPath)
    /// The timer has fired.
    case time
  }

  private var path: NetworkPath?
  private var hasTimeCome = false
  /// Whether the timer fired before the path that waits came.
  private var isTimeFirst = false
  /// The path that was read last.
  private var last: NetworkPath?
  /// Counts the settings of the timer, so that a timer of an earlier setting is ignored.
  private var setting = 0

  mutating func store(_ path: NetworkPath) {
    if self.path == nil { isTimeFirst = hasTimeCome }
    self.path = path
  }

  /// Notes that the timer is set anew, and returns the number of the setting.
  mutating func set() -> Int {
    hasTimeCome = false
    isTimeFirst = false
    setting += 1
    return setting
  }

  /// Notes that the timer of a setting has fired.
  mutating func come(_ setting: Int) {
    if setting == self.setting { hasTimeCome = true }
  }

  mutating func next() -> Event? {
    if !isTimeFirst, let path = path.take(), path != last {
      last = path
      return .path(path)
    }
    guard hasTimeCome else { return nil }
    (hasTimeCome, isTimeFirst) = (false, false)
    return .time
  }
}

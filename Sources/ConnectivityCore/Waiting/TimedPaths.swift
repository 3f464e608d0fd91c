internal import PathModel
internal import SystemIO

/// The paths of a monitor and one timer, as one sequence of events for one task.
final class TimedPaths<C: Clock>: Sendable where C.Duration == Duration {
  let clock: C
  private let iteration: PathIteration<TimedEvents>
  private let timer = Guarded<Task<Void, Never>?>(nil)

  /// Follows the monitor from before this returns.
  init(_ monitor: PathMonitor, clock: C) {
    self.clock = clock
    iteration = PathIteration(monitor, TimedEvents())
  }

  deinit { stop() }

  /// The next event; `nil` once the monitor or the task is cancelled, and after ``stop()``.
  func next(isolation actor: isolated (any Actor)? = #isolation) async -> TimedEvents.Event? {
    await iteration.next(isolation: actor)
  }

  /// Has the moment come once as an event; `nil` for never. It replaces the one that was set before, also one that has
  /// come and was not read yet.
  func setTimer(_ moment: C.Instant?) {
    let mailbox = iteration.mailbox
    guard let setting = mailbox.change({ $0.set() })?.result else { return }
    replaceTimer(
      with: moment.map { moment in
        Task { [clock] in
          guard (try? await clock.sleep(until: moment, tolerance: nil)) != nil else { return }
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

/// The events of the paths and the timer that wait to be read: at most the newest path and one moment, in the order in
/// which they came. A newer path takes the place of the one that waits, so that no number of paths keeps the moment from
/// its turn.
struct TimedEvents: MailboxContent {
  enum Event: Sendable, Equatable {
    /// The path, first as it is.
    case path(NetworkPath)
    /// The moment of the timer has come.
    case time
  }

  private var path: NetworkPath?
  private var hasTimeCome = false
  /// Whether the moment came before the path that waits.
  private var isTimeFirst = false
  /// The path that was read last.
  private var last: NetworkPath?
  /// Counts the settings of the timer: the moment of an earlier one is void.
  private var setting = 0

  mutating func take(_ path: NetworkPath) {
    if self.path == nil { isTimeFirst = hasTimeCome }
    self.path = path
  }

  /// Takes note that the timer is set, and returns the number of the setting.
  mutating func set() -> Int {
    hasTimeCome = false
    isTimeFirst = false
    setting += 1
    return setting
  }

  /// Takes note that the moment of a setting has come.
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

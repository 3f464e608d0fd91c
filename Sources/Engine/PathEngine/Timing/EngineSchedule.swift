internal import KernelPath
internal import PathModel
internal import SystemIO

/// Decides when the engine evaluates, and when it looks for changes without a message. Pure, like ``Settling``: the
/// engine reports what happens, with the time, and sets its timers to the times that it finds here.
struct EngineSchedule: Sendable {
  /// The wait before the next attempt, after the kernel could not be asked.
  static var failurePause: Duration { .seconds(1) }
  /// The wait before routers are followed. Their filter in the kernel costs more than an evaluation, and a network that
  /// is being reconfigured changes its routers again and again.
  static var routerPause: Duration { .seconds(1) }
  /// The longest time between evaluations when the system has no watches left for files.
  static var unwatchedPause: Duration { .seconds(30) }
  /// The time for which the latest paths serve further questions. A change that the kernel does not announce is
  /// therefore noticed up to a millisecond late.
  static var reuseTime: Duration { .milliseconds(1) }

  /// The news since the last evaluation.
  private enum Pending {
    case none
    /// The removal of one route.
    case oneRemoval
    case other
  }

  private var news = Pending.none
  /// The only family whose routes the news is about; `nil` if anything may have changed, or if there is none.
  private(set) var family: IPAddress.Family?
  private var pacing = EvaluationPacing()
  private var secondLooks = SecondLooks()
  private var filePauses = RetryPauses()
  /// The start of the latest evaluation that asked everything.
  private var asked: MonotonicInstant

  /// Whether the event socket, which keeps overrunning, is not read until the next evaluation.
  private(set) var isPausing = false
  /// The time of the next evaluation, for news that waits, a pause that ends or another attempt; `nil` for none.
  private(set) var evaluationDue: MonotonicInstant?
  /// The time of the next second look; `nil` when none is due.
  private(set) var secondLookDue: MonotonicInstant?
  /// The time at which the path may change without a message; `nil` when it does not.
  private(set) var silentChangeDue: MonotonicInstant?
  /// The time at which to follow the current routers; `nil` when they are followed.
  private(set) var routersDue: MonotonicInstant?
  /// The time at which to read the files again that could not be read; `nil` when all could.
  private(set) var fileRetryDue: MonotonicInstant?

  /// Begins after a first evaluation.
  init(evaluatedFrom start: MonotonicInstant, to end: MonotonicInstant) {
    asked = start
    pacing.evaluated(from: start, to: end)
  }

  // MARK: News

  /// Records the result of a drain that has read messages or found some lost.
  mutating func drained(_ read: Kernel.News, at now: MonotonicInstant) {
    if read.overran { pacing.overrun(at: now) }
    family = news == .none || family == read.family ? read.family : nil
    // The answers may show only one of two removals, and none beside a new route.
    news = read.isOneRemoval && news == .none ? .oneRemoval : .other
    if read.isEarly { secondLooks.heard(at: now) }
  }

  /// Records news from another source than the kernel's messages.
  mutating func otherNewsArrived() { (news, family) = (.other, nil) }

  /// Returns whether news is evaluated at once. Otherwise it waits until ``evaluationDue``.
  mutating func evaluatesAtOnce(at now: MonotonicInstant) -> Bool {
    let earliest = pacing.earliestStart(at: now)
    guard now < earliest else { return true }
    evaluationDue = earliest
    return false
  }

  /// Whether news has arrived since the last evaluation.
  var hasNews: Bool { news != .none }

  /// Whether the latest paths still answer a question. For a second after a message no answer is certain: see
  /// ``SecondLooks``.
  func canReuseAnswers(at now: MonotonicInstant) -> Bool {
    !hasNews && secondLooks.isQuiet && evaluationDue == nil && asked.duration(to: now) < Self.reuseTime
  }

  // MARK: Overruns

  /// Whether the event socket keeps overrunning. Reading everything anew each time would then cost more than
  /// evaluating.
  var overrunsRepeat: Bool { pacing.overrunsRepeat }

  /// The time until which an event socket that keeps overrunning is not read; `nil` if it can be read at once.
  func pauseEnd(at now: MonotonicInstant) -> MonotonicInstant? {
    guard overrunsRepeat else { return nil }
    let earliest = pacing.earliestStart(at: now)
    return now < earliest ? earliest : nil
  }

  /// Records that the event socket is not read until then.
  mutating func paused(until end: MonotonicInstant) {
    isPausing = true
    evaluationDue = end
  }

  /// Records that the event socket is read again.
  mutating func resumed() { isPausing = false }

  // MARK: Evaluations

  /// Whether the next evaluation can show that an announced removal is complete, so that the path before it is needed.
  var awaitsRemoval: Bool { news == .oneRemoval }

  /// Records the start of an evaluation.
  ///
  /// - Parameter family: The only family that is asked about; `nil` for both.
  mutating func evaluationStarted(at now: MonotonicInstant, of family: IPAddress.Family? = nil) {
    if family == nil { asked = now }
    evaluationDue = nil
  }

  /// Records the end of an evaluation.
  ///
  /// - Parameters:
  ///   - hasFailed: Whether the kernel could not be asked.
  ///   - showsRemoval: Whether the path differs from the one before a removal that ``awaitsRemoval`` speaks of.
  mutating func evaluated(from start: MonotonicInstant, to end: MonotonicInstant, hasFailed: Bool, showsRemoval: Bool) {
    pacing.evaluated(from: start, to: end)
    if hasFailed { failed(at: end) }
    if showsRemoval { secondLooks.sawItDone() }
    (news, family) = (.none, nil)
    secondLookDue = secondLooks.next(after: end)
  }

  /// Records that the kernel could not be asked.
  mutating func failed(at now: MonotonicInstant) { evaluationDue = now.advanced(by: Self.failurePause) }

  // MARK: Looks without a message

  /// Whether a second look that is due is made. In a pause the evaluation at its end replaces it.
  var looksAgain: Bool { !isPausing }

  /// Records the time after which the path may change without a message; `nil` when it does not.
  ///
  /// A later time never replaces an earlier one: the kernel describes a route in its last hundredth of a second like
  /// one that never expires.
  mutating func silentChangeExpected(after wait: Duration?, lacksWatches: Bool, at now: MonotonicInstant) {
    var wait = wait
    if lacksWatches { wait = min(wait ?? Self.unwatchedPause, Self.unwatchedPause) }
    guard let wait else { return }
    let next = now.advanced(by: wait)
    silentChangeDue = min(silentChangeDue ?? next, next)
  }

  /// Records the start of a look for a silent change.
  mutating func silentChangeLookStarted() { silentChangeDue = nil }

  /// Records that the path depends on routers that are not followed.
  ///
  /// - Parameter isUrgent: Whether a router has stopped answering, so that its return must not be missed.
  mutating func routersChanged(at now: MonotonicInstant, isUrgent: Bool = false) {
    if isUrgent {
      routersDue = now
    } else if routersDue == nil {
      routersDue = now.advanced(by: Self.routerPause)
    }
  }

  /// Records that the current routers are followed.
  mutating func routersFollowed() { routersDue = nil }

  /// Records that files have been read. Files that could not be read, perhaps for lack of descriptors, are read again
  /// later, because no change of them announces that they have become readable.
  mutating func filesRead(hasUnread: Bool, at now: MonotonicInstant) {
    if !hasUnread {
      filePauses.reset()
      fileRetryDue = nil
    } else if fileRetryDue == nil {
      fileRetryDue = now.advanced(by: filePauses.next())
    }
  }

  /// Records the start of another reading of the files that could not be read.
  mutating func fileRetryStarted() { fileRetryDue = nil }
}

internal import SystemIO

/// Decides which phase is shown. Pure: the clock is a parameter, and the owner of the timer obeys.
///
/// - A phase stays for at least its time. Then the newest phase replaces it, and those between are skipped.
/// - If a phase returns before another has replaced it, it stays.
/// - A new reason for the same phase is shown at once.
struct PhaseDisplay<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
  /// The action that the owner performs.
  enum Action: Sendable, Equatable {
    /// Nothing; a timer that was set before is no longer needed.
    case none
    /// Call ``timerFired(at:)`` at that moment.
    case wake(at: Instant)
    /// Show the phase now; a timer that was set before is no longer needed.
    case show(ConnectivityPhase)
  }

  private let times: PhaseTimes
  private(set) var shown = ConnectivityPhase.checking
  private var since: Instant
  private var pending: ConnectivityPhase?

  /// Shows ``ConnectivityPhase/checking`` from the moment on.
  init(_ times: PhaseTimes, at now: Instant) {
    self.times = times
    since = now
  }

  /// Handles a new phase of the path.
  mutating func observe(_ phase: ConnectivityPhase, at now: Instant) -> Action {
    if phase == shown {
      pending = nil
      return .none
    }
    if phase.isSameKind(as: shown) {
      pending = nil
      shown = phase
      return .show(phase)
    }
    pending = phase
    return timerFired(at: now)
  }

  /// Shows the waiting phase if its time has come; otherwise returns the moment when it will.
  mutating func timerFired(at now: Instant) -> Action {
    guard let pending else { return .none }
    let due = since.after(times.minimum(of: shown))
    if now < due { return .wake(at: due) }
    self.pending = nil
    (shown, since) = (pending, now)
    return .show(pending)
  }
}

package import SystemIO

/// Decides when to evaluate, so that a storm of events costs at most half a core, and a socket that keeps
/// overrunning no more than four evaluations a second. Pure, like ``Settling``.
package struct EvaluationPacing: Sendable {
  /// The pause between evaluations while overruns repeat.
  package static var overrunPause: Duration { .milliseconds(250) }

  private var finished: MonotonicInstant?
  private var pause: Duration = .zero
  private var lastOverrun: MonotonicInstant?
  /// Whether the socket has overrun twice within a second, not longer than a second ago.
  package private(set) var overrunsRepeat = false

  /// Nothing has been evaluated yet.
  package init() {}

  /// The earliest start of the next evaluation; `now` when it may start at once.
  package func earliestStart(at now: MonotonicInstant) -> MonotonicInstant {
    guard let finished else { return now }
    let end = finished.advanced(by: overrunsRepeat ? max(pause, Self.overrunPause) : pause)
    return now < end ? end : now
  }

  /// Records an evaluation. The pause before the next one is as long as this one took.
  package mutating func evaluated(from start: MonotonicInstant, to end: MonotonicInstant) {
    finished = end
    pause = start.duration(to: end)
    if let lastOverrun, lastOverrun.duration(to: end) > .seconds(1) { overrunsRepeat = false }
  }

  /// Records an overrun of the event socket. The second overrun within a second makes evaluations rare.
  package mutating func overrun(at now: MonotonicInstant) {
    overrunsRepeat = lastOverrun.map { $0.duration(to: now) < .seconds(1) } ?? false
    lastOverrun = now
  }
}

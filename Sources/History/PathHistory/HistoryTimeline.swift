internal import PathModel

/// Makes spans of observed states and readings of the clocks.
///
/// - A state lasts from its observation to the next.
/// - Time that `CLOCK_BOOTTIME` counts and `CLOCK_MONOTONIC` does not was suspend. It ended at the first reading after
///   it, or at the change that was observed before that reading.
/// - A step of the wall clock ends a span and begins another of the same state.
/// - The time before the first observation is not watched, back to the end of the span before.
package struct HistoryTimeline: Sendable {
  /// The shortest difference of two clocks that is a suspend or a step, in microseconds. The clocks are not read in the
  /// same moment.
  private static let shortestDifference: Int64 = 5_000

  /// The present span, up to the latest reading of the clocks.
  package private(set) var present: HistorySpan

  private var wallAtBoot: HistoryInstant
  private var asleep: Int64
  /// The boot clock at which the present span would have begun if it had begun in this boot.
  private var presentStart: Int64
  /// The state before the suspend, or the present one.
  private var waking: HistoryState
  private var lastPath: RecordedPath?
  /// The span before the present one; `nil` at the start.
  private var previous: HistorySpan?
  private var closed: [HistorySpan] = []

  /// A timeline whose first state is not watched.
  ///
  /// - Parameter last: The last span of the history so far, up to the latest moment at which its state is known.
  package init(bootID: String, at clocks: HistoryClocks, after last: HistorySpan? = nil) {
    wallAtBoot = clocks.wallAtBoot
    asleep = clocks.asleep
    waking = .notWatched
    lastPath = last?.state.path
    var boottime: Int64? = clocks.boottime
    presentStart = clocks.boottime
    if let last, last.bootID == bootID, let began = last.boottime {
      presentStart = min(clocks.boottime, began + last.duration)
      boottime = presentStart
    } else if let last {
      presentStart = clocks.boottime - max(0, last.end.microseconds(to: clocks.wall))
      boottime = nil
    }
    present = HistorySpan(
      number: (last?.number ?? 0) + 1, state: .notWatched, start: wallAtBoot.advanced(by: presentStart),
      duration: clocks.boottime - presentStart, boottime: boottime, bootID: bootID)
  }

  /// Observes a state.
  ///
  /// - Parameters:
  ///   - sequence: The number of the update in the stream of the service.
  ///   - moment: The time of the observation, in microseconds since boot; `nil` for that of the clocks.
  ///   - clocks: The clocks, read at the moment or after it.
  /// - Returns: The spans that have ended, in their order. The first is the former ``present``, if any.
  package mutating func observe(
    _ state: HistoryState, sequence: Int = 0, at moment: Int64? = nil, clocks: HistoryClocks
  ) -> [HistorySpan] {
    let moment = min(moment ?? clocks.boottime, clocks.boottime)
    let slept = sleep(until: clocks)
    // An observation within the suspend was made after it, because nothing runs during it: the suspend ended earlier
    // than the reading.
    let end = slept > 0 && moment > clocks.boottime - slept ? moment : clocks.boottime
    if slept > 0, moment <= end - slept {
      change(to: state, sequence, at: moment)
      suspend(from: end - slept, to: end)
    } else {
      if slept > 0 { suspend(from: end - slept, to: end) }
      change(to: state, sequence, at: moment)
    }
    finish(clocks)
    return takeClosed()
  }

  /// Extends the present span to the present moment.
  ///
  /// - Returns: The spans that have ended because of a suspend or a step of the wall clock.
  package mutating func advance(to clocks: HistoryClocks) -> [HistorySpan] {
    let slept = sleep(until: clocks)
    if slept > 0 { suspend(from: clocks.boottime - slept, to: clocks.boottime) }
    finish(clocks)
    return takeClosed()
  }

  private mutating func takeClosed() -> [HistorySpan] {
    defer { closed = [] }
    return closed
  }

  /// The microseconds of suspend since the latest reading.
  private mutating func sleep(until clocks: HistoryClocks) -> Int64 {
    let slept = clocks.asleep - asleep
    guard slept >= Self.shortestDifference else { return 0 }
    asleep = clocks.asleep
    return slept
  }

  private mutating func suspend(from start: Int64, to end: Int64) {
    let (state, sequence) = (waking, present.sequence)
    change(to: .suspended, 0, at: start)
    change(to: state, sequence, at: end)
  }

  /// Extends the present span to the reading, and begins another if the wall clock was set.
  private mutating func finish(_ clocks: HistoryClocks) {
    present.duration = max(present.duration, clocks.boottime - presentStart)
    let step = wallAtBoot.microseconds(to: clocks.wallAtBoot)
    guard step.magnitude >= UInt64(Self.shortestDifference) else { return }
    wallAtBoot = clocks.wallAtBoot
    begin(present.state, present.sequence, at: presentStart + present.duration, changed: [], changes: 0)
  }

  private mutating func change(to state: HistoryState, _ sequence: Int, at moment: Int64) {
    if state != .suspended { waking = state }
    if state == present.state {
      present.sequence = sequence
      return
    }
    // Nothing moves back into a span that has ended.
    let moment = max(moment, presentStart)
    present.duration = moment - presentStart
    var (changed, changes) = ([] as [String], 0)
    if let path = state.path {
      if let lastPath, lastPath != path {
        (changed, changes) = (path.path.fieldsChanged(since: lastPath.path), 1)
      }
      lastPath = path
    }
    begin(state, sequence, at: moment, changed: changed, changes: changes)
  }

  private mutating func begin(
    _ state: HistoryState, _ sequence: Int, at moment: Int64, changed: [String], changes: Int
  ) {
    let former = present
    // A state without any duration leaves only its change.
    let isReplaced = former.duration == 0
    if !isReplaced {
      closed.append(former)
      previous = former
    }
    present = HistorySpan(
      number: isReplaced ? former.number : former.number + 1, state: state, start: wallAtBoot.advanced(by: moment),
      duration: 0, boottime: moment, bootID: former.bootID)
    (present.changed, present.sequence) = (changed, sequence)
    present.changes = changes + (isReplaced ? former.changes : 0)
    presentStart = moment
    guard present.isOutage else { return }
    if let previous, previous.isOutage {
      present.outageBefore = previous.longestOutage
    } else {
      present.outages = 1
    }
  }
}

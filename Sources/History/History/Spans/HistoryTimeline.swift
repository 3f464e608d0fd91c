internal import PathModel

/// Makes spans of observed states and readings of the clocks.
///
/// - A state lasts from its observation to the next. No change is dated before what is known already, and so never
///   before what was written or marked.
/// - While nothing is watched there is no span. The next observation begins one.
/// - Time that `CLOCK_BOOTTIME` counts and `CLOCK_MONOTONIC` does not was suspend. It ended at the first reading after
///   it, or at the change that was observed before that reading.
/// - A step of the wall clock ends a span and begins another of the same state.
package struct HistoryTimeline: Sendable {
  /// The shortest difference of two clocks that is a suspend or a step, in microseconds. The clocks are not read in the
  /// same moment.
  private static let shortestDifference: Int64 = 5_000
  /// The longest suspend. At the end of one, the kernel takes its length from the clock of the hardware, which can be
  /// wrong by decades. A longer one counts as not watched.
  private static let longestSuspend = 366 * HistoryInstant.day

  /// The present span, up to the latest moment at which its state is known; `nil` while nothing is watched.
  package private(set) var present: HistorySpan?

  private let bootID: String
  private var nextNumber: Int64 = 1
  private var wallAtBoot: HistoryInstant
  private var asleep: Int64
  /// The boot clock up to which everything is known.
  private var reach: Int64
  private var lastPath: RecordedPath?
  /// The span before the present one; `nil` after a gap.
  private var previous: HistorySpan?
  private var closed: [HistorySpan] = []

  /// A timeline that watches nothing yet. Its spans are numbered from 1 on.
  ///
  /// - Parameter lastPath: The last path of the history so far: one that differs from it is a change.
  package init(bootID: String, at clocks: HistoryClocks, after lastPath: RecordedPath? = nil) {
    self.bootID = bootID
    wallAtBoot = clocks.wallAtBoot
    asleep = clocks.asleep
    reach = clocks.boottime
    self.lastPath = lastPath
  }

  /// Observes a state.
  ///
  /// - Parameters:
  ///   - state: The state; `nil` when nothing is watched any more.
  ///   - sequence: The number of the update in the stream of the service.
  ///   - moment: The time of the observation, in microseconds since boot; `nil` for that of the clocks.
  ///   - clocks: The clocks, read at the moment or after it.
  /// - Returns: The spans that have ended, in their order. The first is the former ``present``, if any.
  package mutating func observe(
    _ state: HistoryState?, sequence: Int = 0, at moment: Int64? = nil, clocks: HistoryClocks
  ) -> [HistorySpan] {
    let moment = min(moment ?? clocks.boottime, clocks.boottime)
    let slept = takeSleep(until: clocks)
    // An observation within the suspend was made after it, because nothing runs during it: the suspend ended earlier
    // than the reading.
    let end = slept > 0 && moment > clocks.boottime - slept ? moment : clocks.boottime
    if slept > 0, moment <= end - slept {
      change(to: state, sequence, at: moment)
      insertSuspend(from: end - slept, to: end)
    } else {
      if slept > 0 { insertSuspend(from: end - slept, to: end) }
      change(to: state, sequence, at: moment)
    }
    followWallClock(clocks)
    return takeClosed()
  }

  /// Extends the present span to the present moment.
  ///
  /// - Returns: The spans that have ended because of a suspend or a step of the wall clock.
  package mutating func advance(to clocks: HistoryClocks) -> [HistorySpan] {
    let slept = takeSleep(until: clocks)
    if slept > 0 { insertSuspend(from: clocks.boottime - slept, to: clocks.boottime) }
    extend(to: clocks.boottime)
    followWallClock(clocks)
    return takeClosed()
  }

  /// The present span as it can be written: at least a microsecond long, so that no change can take it back.
  package mutating func settled() -> HistorySpan? {
    if present?.duration == 0 { extend(to: reach + 1) }
    return present
  }

  private mutating func takeClosed() -> [HistorySpan] {
    defer { closed = [] }
    return closed
  }

  /// The microseconds of suspend since the latest reading.
  private mutating func takeSleep(until clocks: HistoryClocks) -> Int64 {
    let slept = clocks.asleep - asleep
    guard slept >= Self.shortestDifference else { return 0 }
    asleep = clocks.asleep
    return slept
  }

  private mutating func insertSuspend(from start: Int64, to end: Int64) {
    guard let present else { return }
    change(to: end - start > Self.longestSuspend ? nil : .suspended, 0, at: start)
    change(to: present.state, present.sequence, at: end)
  }

  /// Extends the present span to a moment of the boot clock, unless it reaches farther.
  private mutating func extend(to moment: Int64) {
    reach = max(reach, moment)
    if let began = present?.boottime { present?.duration = reach - began }
  }

  /// Begins another span of the same state if the wall clock was set.
  private mutating func followWallClock(_ clocks: HistoryClocks) {
    let step = wallAtBoot.microseconds(to: clocks.wallAtBoot)
    guard step.magnitude >= UInt64(Self.shortestDifference) else { return }
    wallAtBoot = clocks.wallAtBoot
    if let present { begin(present.state, present.sequence, changed: [], changes: 0) }
  }

  private mutating func change(to state: HistoryState?, _ sequence: Int, at moment: Int64) {
    extend(to: moment)
    guard let state else {
      end()
      previous = nil
      return
    }
    if state == present?.state {
      present?.sequence = sequence
      return
    }
    var (changed, changes) = ([] as [String], 0)
    if let path = state.path {
      if let lastPath, lastPath != path {
        (changed, changes) = (path.path.fieldsChanged(since: lastPath.path), 1)
      }
      lastPath = path
    }
    begin(state, sequence, changed: changed, changes: changes)
  }

  /// Ends the present span. One without any duration leaves nothing.
  private mutating func end() {
    guard let present else { return }
    if present.duration > 0 {
      closed.append(present)
      previous = present
      nextNumber = present.number + 1
    }
    self.present = nil
  }

  private mutating func begin(_ state: HistoryState, _ sequence: Int, changed: [String], changes: Int) {
    // A state without any duration leaves only its change.
    let replaced = present?.duration == 0 ? present : nil
    end()
    var span = HistorySpan(
      number: nextNumber, state: state, start: wallAtBoot.advanced(by: reach), duration: 0, boottime: reach,
      bootID: bootID)
    (span.changed, span.sequence) = (changed.isEmpty ? replaced?.changed ?? [] : changed, sequence)
    span.changes = changes + (replaced?.changes ?? 0)
    if span.isOutage {
      if let previous, previous.isOutage { span.outageBefore = previous.longestOutage } else { span.outages = 1 }
    }
    present = span
  }
}

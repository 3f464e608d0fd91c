package import History
package import PathModel

/// The microseconds of a second.
package let second = HistoryInstant.second

/// A path over a cable.
package let connected = HistoryState.path(RecordedPath(examplePath(.satisfied, nil)))
/// No path, because there is no carrier.
package let offline = path(.noCarrier)

/// No path for a reason.
package func path(_ reason: UnsatisfiedReason) -> HistoryState {
  .path(RecordedPath(examplePath(.unsatisfied, reason)))
}

/// An expensive path over an interface.
package func expensive(_ name: String) -> HistoryState {
  var path = examplePath(.satisfied, nil)
  path.interfaces = [NetworkInterface(name: name, index: 3, type: .cellular, networkName: "My phone")]
  path.interfaceType = .cellular
  path.isExpensive = true
  return .path(RecordedPath(path))
}

private func examplePath(_ status: NetworkPath.Status, _ reason: UnsatisfiedReason?) -> NetworkPath {
  var path = NetworkPath(status: status, knowledge: .known)
  path.unsatisfiedReason = reason
  return path
}

/// A machine whose clocks the test sets, and the timeline of its recorder.
package struct Machine {
  /// The wall clock at the start.
  package static let start = HistoryInstant(microseconds: 1_800_000_000 * second)
  /// The boot clock at the start.
  package static let boottime: Int64 = 1_000

  /// The present reading of the clocks.
  package private(set) var clocks = HistoryClocks(boottime: boottime, monotonic: boottime, wall: start)
  private var boot = 1
  private var timeline: HistoryTimeline
  /// The number of the last span before the timeline.
  private var numbers: Int64 = 0
  /// The spans that have ended and were not taken.
  private var closed: [HistorySpan] = []

  /// A machine that has just booted.
  package init(after last: HistorySpan? = nil) {
    timeline = HistoryTimeline(bootID: "boot 1", at: clocks, after: last?.state.path)
    numbers = last?.number ?? 0
  }

  /// All spans, the present one included.
  package var spans: [HistorySpan] { closed + [present].compactMap(\.self) }
  /// The present span.
  package var present: HistorySpan? { timeline.present.map(numbered) }
  /// The totals of all spans.
  package var totals: PathTotals { ListedHistory(spans).lifetimeTotals() }

  /// The present span as it can be written.
  package mutating func settled() -> HistorySpan? { timeline.settled().map(numbered) }

  /// A span with its number in the whole history.
  private func numbered(_ span: HistorySpan) -> HistorySpan {
    var span = span
    span.number += numbers
    return span
  }

  /// Returns the spans that have ended since the last call.
  package mutating func takeClosed() -> [HistorySpan] {
    defer { closed.removeAll(keepingCapacity: true) }
    return closed
  }

  /// Lets microseconds pass.
  package mutating func pass(_ time: Int64) {
    clocks.boottime += time
    clocks.monotonic += time
    clocks.wall = clocks.wall.advanced(by: time)
  }

  /// Suspends the machine for some microseconds.
  package mutating func sleep(_ time: Int64) {
    clocks.boottime += time
    clocks.wall = clocks.wall.advanced(by: time)
  }

  /// Sets the wall clock.
  package mutating func setWall(by step: Int64) { clocks.wall = clocks.wall.advanced(by: step) }

  /// Shows the recorder a state, that of an earlier moment if there is one; `nil` for the absence of the service.
  package mutating func show(_ state: HistoryState?, at moment: Int64? = nil) {
    let ended = timeline.observe(state, at: moment, clocks: clocks)
    closed += ended.map(numbered)
  }

  /// Shows states one after another, each of them for some microseconds.
  package mutating func show(_ states: (state: HistoryState?, time: Int64)...) {
    for (state, time) in states { show(state, for: time) }
  }

  /// Shows a state, and lets microseconds pass.
  package mutating func show(_ state: HistoryState?, for time: Int64) {
    show(state)
    pass(time)
  }

  /// Lets the recorder read the clocks.
  package mutating func tick() {
    let ended = timeline.advance(to: clocks)
    closed += ended.map(numbered)
  }

  /// Ends the recorder without a word, and starts it again.
  package mutating func restart() {
    let last = spans.last
    closed = spans
    numbers = last?.number ?? numbers
    timeline = HistoryTimeline(bootID: "boot \(boot)", at: clocks, after: last?.state.path)
  }

  /// Cuts the power, and boots some microseconds of the wall clock later.
  package mutating func reboot(after time: Int64) {
    boot += 1
    clocks = HistoryClocks(
      boottime: Self.boottime, monotonic: Self.boottime, wall: clocks.wall.advanced(by: time))
    restart()
  }
}

extension HistoryWriter {
  /// Lets the recorder of a machine read the clocks, and writes its spans.
  package func write(_ machine: inout Machine) throws(HistoryError) {
    machine.tick()
    try write(machine.takeClosed(), present: machine.settled())
  }
}

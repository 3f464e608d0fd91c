package import PathHistory
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
  /// The spans that have ended and were not taken.
  private var closed: [HistorySpan] = []

  /// A machine that has just booted.
  package init(after last: HistorySpan? = nil) {
    timeline = HistoryTimeline(bootID: "boot 1", at: clocks, after: last)
  }

  /// All spans, the present one included.
  package var spans: [HistorySpan] { closed + [timeline.present] }
  /// The present span.
  package var present: HistorySpan { timeline.present }
  /// The sums of all spans.
  package var totals: HistoryTotals { ListedHistory(spans).lifetimeTotals() }

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

  /// Shows the recorder a state, that of an earlier moment if there is one.
  package mutating func show(_ state: HistoryState, at moment: Int64? = nil) {
    closed += timeline.observe(state, at: moment, clocks: clocks)
  }

  /// Lets the recorder read the clocks.
  package mutating func tick() { closed += timeline.advance(to: clocks) }

  /// Ends the recorder without a word, and starts it again.
  package mutating func restart() {
    closed.append(timeline.present)
    timeline = HistoryTimeline(bootID: "boot \(boot)", at: clocks, after: timeline.present)
  }

  /// Cuts the power, and boots some time of the wall clock later.
  package mutating func reboot(after time: Int64) {
    boot += 1
    clocks = HistoryClocks(
      boottime: Self.boottime, monotonic: Self.boottime, wall: clocks.wall.advanced(by: time))
    restart()
  }
}

package import PathModel

/// A time with one state.
///
/// Spans follow one another in the order of ``number``. The end of a span is its start and its duration, always: where
/// the wall clock was set, a span ends and another of the same state begins. So the wall clock may have a hole between
/// two spans, and two spans may overlap in it, but the sum of durations is the time that was watched.
package struct HistorySpan: Hashable, Sendable {
  /// The place in the history. Later spans have greater numbers.
  package var number: Int64
  /// The state during the span.
  package var state: HistoryState
  /// When the span began, by the wall clock of its end.
  package var start: HistoryInstant
  /// The length in microseconds, by the clock that runs since boot, suspend included (`CLOCK_BOOTTIME`).
  package var duration: Int64
  /// The microseconds since boot at the start.
  package var boottime: Int64
  /// The number of the boot, as in `/proc/sys/kernel/random/boot_id`.
  package var bootID: String
  /// The fields of the path that differ from those of the path before; empty where there was none.
  package var changed: [String] = []
  /// The number of the update in the stream of the service; 0 unless a path.
  package var sequence = 0
  /// How many changes of the path the span stands for: 1 if it began with one, 0 if it continues the path before, more
  /// if changes followed one another in the same microsecond.
  package var changes = 0
  /// 1 if an outage began with the span: it is the first unsatisfied span after a satisfied one or a gap. Otherwise 0.
  package var outages = 0
  /// For how many microseconds the outage had lasted when the span began; 0 unless the span continues an outage.
  package var outageBefore: Int64 = 0

  /// When the span ended; for the present span, the latest moment at which its state is known.
  package var end: HistoryInstant { start.advanced(by: duration) }

  /// The microseconds since boot at the end.
  package var endBoottime: Int64 { boottime + duration }

  /// Whether the span is downtime.
  package var isOutage: Bool { state.outageReason != nil }

  /// The outage from its beginning to the end of the span, in microseconds; 0 without one.
  package var longestOutage: Int64 { isOutage ? outageBefore + duration : 0 }

  /// Whether nothing lies between another span and this one.
  package func follows(_ other: HistorySpan) -> Bool {
    bootID.utf8.elementsEqual(other.bootID.utf8) && boottime == other.endBoottime
  }

  /// The microseconds of the span in a window of the wall clock.
  package func overlap(with window: Range<HistoryInstant>) -> Int64 {
    let (from, to) = (max(start, window.lowerBound), min(end, window.upperBound))
    return max(0, from.microseconds(to: to))
  }

  /// Whether the span has a part in the window, or begins in it.
  package func touches(_ window: Range<HistoryInstant>) -> Bool {
    overlap(with: window) > 0 || window.contains(start)
  }
}

extension PathTotals {
  /// Adds the part of a span that lies in the window; without a window, the whole span.
  package mutating func add(_ span: HistorySpan, in window: Range<HistoryInstant>? = nil) {
    let time = window.map { span.overlap(with: $0) } ?? span.duration
    switch span.state {
    case .suspended: suspended += time
    case .unknown: unknown += time
    case .path(let path):
      if let reason = path.reason {
        if time > 0 { unsatisfiedByReason[reason, default: 0] += time }
      } else {
        satisfied += time
      }
      if path.isExpensive { expensive += time }
      if path.isConstrained { constrained += time }
    }
    if window?.contains(span.start) ?? true {
      changes += Int64(span.changes)
      outages += Int64(span.outages)
    }
    if span.isOutage, window?.contains(span.start.advanced(by: -span.outageBefore)) ?? true {
      longestOutage = max(longestOutage, span.longestOutage)
    }
  }
}

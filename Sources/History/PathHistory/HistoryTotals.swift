package import PathModel

/// Sums over a window of time, such as an hour or a day.
///
/// A span that reaches beyond the window counts with its part in the window. A change counts where it happened. An
/// outage counts in the window in which it began, with its whole length in ``longestOutage``; its time is in
/// ``unsatisfied`` of every window that it touches.
package struct HistoryTotals: Hashable, Sendable {
  /// Microseconds with a satisfied path.
  package var satisfied: Int64 = 0
  /// Microseconds with an unsatisfied path, by reason.
  package var unsatisfiedByReason: [UnsatisfiedReason: Int64] = [:]
  /// Microseconds of suspend.
  package var suspended: Int64 = 0
  /// Microseconds without a recorder or a service.
  package var notWatched: Int64 = 0
  /// Microseconds in which the service did not know the path.
  package var unknown: Int64 = 0
  /// Microseconds with a satisfied and expensive path.
  package var expensive: Int64 = 0
  /// Microseconds with a satisfied and constrained path.
  package var constrained: Int64 = 0
  /// The number of changes of the path.
  package var changes: Int64 = 0
  /// The number of outages that began in the window.
  package var outages: Int64 = 0
  /// The longest outage that began in the window, in microseconds; 0 without one.
  package var longestOutage: Int64 = 0

  /// Sums of nothing.
  package init() {}

  /// Microseconds with an unsatisfied path.
  package var unsatisfied: Int64 { unsatisfiedByReason.values.reduce(0, +) }

  /// Microseconds that are uptime or downtime.
  package var watched: Int64 { satisfied + unsatisfied }

  /// The part of the uptime in ``watched``, from 0 to 1; `nil` when nothing was watched.
  package var availability: Double? { watched == 0 ? nil : Double(satisfied) / Double(watched) }

  /// Adds the part of a span that lies in the window; without a window, the whole span.
  package mutating func add(_ span: HistorySpan, in window: Range<HistoryInstant>? = nil) {
    let time = window.map { span.overlap(with: $0) } ?? span.duration
    switch span.state {
    case .suspended: suspended += time
    case .notWatched: notWatched += time
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

  /// Adds the sums of another window.
  package mutating func add(_ other: HistoryTotals) {
    satisfied += other.satisfied
    for (reason, time) in other.unsatisfiedByReason { unsatisfiedByReason[reason, default: 0] += time }
    suspended += other.suspended
    notWatched += other.notWatched
    unknown += other.unknown
    expensive += other.expensive
    constrained += other.constrained
    changes += other.changes
    outages += other.outages
    longestOutage = max(longestOutage, other.longestOutage)
  }
}

/// Sums over a time: how long the path was in each state, and how often it changed. All times are in microseconds.
///
/// A state that lasts beyond the time counts with its part in it. A change counts where it happened. An outage counts
/// where it began, with its whole length in ``longestOutage``.
package struct PathTotals: Hashable, Sendable {
  /// The time with a satisfied path.
  package var satisfied: Int64 = 0
  /// The time of all outages by their reason, without suspend. A reason that never held is absent.
  package var unsatisfiedByReason: [UnsatisfiedReason: Int64] = [:]
  /// The time of suspend.
  package var suspended: Int64 = 0
  /// The time in which the path was not known although the service ran.
  package var unknown: Int64 = 0
  /// The time without a recorder or a service: the rest of a window.
  package var notWatched: Int64 = 0
  /// The time with a satisfied and expensive path.
  package var expensive: Int64 = 0
  /// The time with a satisfied and constrained path.
  package var constrained: Int64 = 0
  /// The number of changes of the path, also of those that did not settle.
  package var changes: Int64 = 0
  /// The number of outages: of times during which the path was known, and not satisfied.
  package var outages: Int64 = 0
  /// The longest outage; 0 without one.
  package var longestOutage: Int64 = 0
  /// When the path last changed, in microseconds since 1970 by the clock as it was then; `nil` when it is not known.
  package var lastChange: Int64?

  /// The sums of no time.
  package init() {}

  /// The time with an unsatisfied path.
  package var unsatisfied: Int64 { unsatisfiedByReason.values.reduce(0, +) }

  /// The time that is uptime or downtime.
  package var watched: Int64 { satisfied + unsatisfied }

  /// All of the time.
  package var all: Int64 { watched + suspended + unknown + notWatched }

  /// Adds the sums of another time.
  package mutating func add(_ other: PathTotals) {
    satisfied += other.satisfied
    if !other.unsatisfiedByReason.isEmpty { unsatisfiedByReason.merge(other.unsatisfiedByReason, uniquingKeysWith: +) }
    suspended += other.suspended
    unknown += other.unknown
    notWatched += other.notWatched
    expensive += other.expensive
    constrained += other.constrained
    changes += other.changes
    outages += other.outages
    longestOutage = max(longestOutage, other.longestOutage)
    lastChange = [lastChange, other.lastChange].compactMap(\.self).max()
  }
}

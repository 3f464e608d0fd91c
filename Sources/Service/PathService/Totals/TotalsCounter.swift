package import PathModel
package import SystemIO

/// Counts changes and outages of the path since the service has started. Pure.
///
/// Time during which the path is not known is neither connected nor an outage, and an outage that is still going on
/// counts up to the present.
package struct TotalsCounter: Sendable {
  private var path: NetworkPath
  /// The moment up to which the time is counted.
  private var counted: MonotonicInstant
  private var totals = PathTotals()

  /// A counter that begins with a path. A path that is unsatisfied from the beginning is an outage.
  ///
  /// - Parameter wallClock: The time in microseconds since 1970.
  package init(_ path: NetworkPath, at now: MonotonicInstant, wallClock: Int64) {
    self.path = path
    counted = now
    totals.outages = path.outageReason == nil ? 0 : 1
    totals.lastChange = wallClock
  }

  /// Takes the path as it is from now on. An equal path changes nothing.
  package mutating func observe(_ next: NetworkPath, at now: MonotonicInstant, wallClock: Int64) {
    guard next != path else { return }
    count(until: now)
    totals.changes += 1
    totals.lastChange = wallClock
    if path.outageReason == nil, next.outageReason != nil { totals.outages += 1 }
    path = next
  }

  /// The totals up to the moment.
  package func totals(at now: MonotonicInstant) -> PathTotals {
    var counter = self
    counter.count(until: now)
    return counter.totals
  }

  private mutating func count(until now: MonotonicInstant) {
    let time = now.nanoseconds / 1_000 - counted.nanoseconds / 1_000
    if let reason = path.outageReason { totals.unsatisfiedByReason[reason, default: 0] += time }
    counted = now
  }
}

extension NetworkPath {
  /// The reason of an outage; `nil` for a path that is satisfied or not known.
  fileprivate var outageReason: UnsatisfiedReason? {
    knowledge == .known && status != .satisfied ? unsatisfiedReason ?? .noRoute : nil
  }
}

package import PathModel
package import SystemIO

/// Counts changes and outages of the path since the service has started. Pure.
///
/// Time during which the path is not known is neither connected nor an outage, and an outage that is still going on
/// counts up to the present.
package struct PathTally: Sendable {
  private var path: NetworkPath
  /// The moment up to which the time is counted.
  private var counted: MonotonicInstant
  /// The time of all outages by their reason. There are few reasons.
  private var unsatisfied: [(reason: UnsatisfiedReason, time: Duration)] = []
  private var sums = PathTotals()

  /// A tally that begins with a path. A path that is unsatisfied from the beginning is an outage.
  ///
  /// - Parameter wallClock: The time in microseconds since 1970.
  package init(_ path: NetworkPath, at now: MonotonicInstant, wallClock: Int) {
    self.path = path
    counted = now
    sums.outages = path.outageReason == nil ? 0 : 1
    sums.lastChangeMicroseconds = wallClock
  }

  /// Takes the path as it is from now on. An equal path changes nothing.
  package mutating func observe(_ next: NetworkPath, at now: MonotonicInstant, wallClock: Int) {
    guard next != path else { return }
    count(until: now)
    sums.changes += 1
    sums.lastChangeMicroseconds = wallClock
    if path.outageReason == nil, next.outageReason != nil { sums.outages += 1 }
    path = next
  }

  /// The totals up to the moment.
  package func totals(at now: MonotonicInstant) -> PathTotals {
    var tally = self
    tally.count(until: now)
    for (reason, time) in tally.unsatisfied { tally.sums.unsatisfiedMicroseconds[reason] = time.wholeMicroseconds }
    return tally.sums
  }

  private mutating func count(until now: MonotonicInstant) {
    if let reason = path.outageReason {
      if let position = unsatisfied.firstIndex(where: { $0.reason == reason }) {
        unsatisfied[position].time += counted.duration(to: now)
      } else {
        unsatisfied.append((reason, counted.duration(to: now)))
      }
    }
    counted = now
  }
}

extension NetworkPath {
  /// The reason of an outage; `nil` for a path that is satisfied or not known.
  fileprivate var outageReason: UnsatisfiedReason? {
    knowledge == .known && status != .satisfied ? unsatisfiedReason ?? .noRoute : nil
  }
}

extension Duration {
  /// The time in microseconds, rounded down.
  fileprivate var wholeMicroseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}

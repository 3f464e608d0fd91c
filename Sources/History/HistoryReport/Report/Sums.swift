package import PathHistory

/// The time in each state, in microseconds, and the number of outages that began.
package struct Sums: Hashable, Sendable {
  /// Uptime.
  package var connected: Int64 = 0
  /// Downtime.
  package var offline: Int64 = 0
  /// The machine was suspended.
  package var suspended: Int64 = 0
  /// Nothing was recorded.
  package var notWatched: Int64 = 0
  /// The service did not know the path.
  package var unknown: Int64 = 0
  /// The number of outages that began.
  package var outages: Int64 = 0

  /// Sums of nothing.
  package init() {}

  /// The sums of totals, where every path is uptime.
  package init(_ totals: HistoryTotals) {
    (connected, offline, suspended) = (totals.satisfied, totals.unsatisfied, totals.suspended)
    (notWatched, unknown, outages) = (totals.notWatched, totals.unknown, totals.outages)
  }

  /// The time that is uptime or downtime.
  package var watched: Int64 { connected + offline }
  /// All of the time.
  package var all: Int64 { watched + suspended + notWatched + unknown }

  /// Adds other sums.
  package mutating func add(_ other: Sums) {
    connected += other.connected
    offline += other.offline
    suspended += other.suspended
    notWatched += other.notWatched
    unknown += other.unknown
    outages += other.outages
  }
}

/// The judgement on a state.
package enum Judgement: Hashable, Sendable {
  /// There was a path as required.
  case connected
  /// There was none.
  case offline
  /// Neither uptime nor downtime: the machine was suspended.
  case suspended
  /// Neither uptime nor downtime: nothing was recorded.
  case notWatched
  /// Neither uptime nor downtime: the service did not know the path.
  case unknown
}

extension Sums {
  /// The time with a judgement, in microseconds.
  package subscript(judgement: Judgement) -> Int64 {
    get {
      switch judgement {
      case .connected: connected
      case .offline: offline
      case .suspended: suspended
      case .notWatched: notWatched
      case .unknown: unknown
      }
    }
    set {
      switch judgement {
      case .connected: connected = newValue
      case .offline: offline = newValue
      case .suspended: suspended = newValue
      case .notWatched: notWatched = newValue
      case .unknown: unknown = newValue
      }
    }
  }
}

internal import PathModel

/// The judgement on a state.
package enum Judgement: Hashable, Sendable {
  /// There was a path as required.
  case connected
  /// There was none.
  case offline
  /// Neither uptime nor downtime: the machine was suspended.
  case suspended
  /// Neither uptime nor downtime: the service did not know the path.
  case unknown
}

extension PathTotals {
  /// Adds a time with a judgement, in microseconds. Downtime has its cause.
  mutating func add(_ time: Int64, _ judgement: Judgement, _ cause: OutageCause?) {
    switch judgement {
    case .connected: satisfied += time
    case .offline: unsatisfiedByReason[cause?.reason ?? .requirementNotMet, default: 0] += time
    case .suspended: suspended += time
    case .unknown: unknown += time
    }
  }

  /// Takes what an administrator has said for no downtime.
  mutating func leaveOutOverrides() {
    unknown += unsatisfiedByReason.removeValue(forKey: .overridden) ?? 0
  }
}

internal import PathModel
package import SystemIO

/// Decides how long to wait until a path has not changed for the settle time.
package struct PathRest: Sendable {
  private let settle: Duration
  /// The end of the waiting for a path that changes again and again.
  private let longest: MonotonicInstant
  /// The moment at which the path has rested, or the waiting ends.
  package private(set) var end: MonotonicInstant

  /// The waiting begins, and nothing is known of the past.
  package init(settle: Duration, at now: MonotonicInstant) {
    self.settle = settle
    longest = now.advanced(by: SettleTimes(settle).longest)
    end = longest
  }

  /// Takes a path that is as it is since some time.
  ///
  /// - Parameters:
  ///   - age: How long the path has not changed.
  ///   - now: The present moment.
  package mutating func observe(age: Duration, at now: MonotonicInstant) {
    end = min(longest, now.advanced(by: max(.zero, settle - age)))
  }
}

/// The pauses between attempts that keep failing: each is twice as long as the one before, up to a longest. Pure.
package struct RetryPauses: Sendable {
  private let first: Duration
  private let longest: Duration
  private var latest: Duration?

  /// Pauses that begin with `first`.
  package init(first: Duration = .seconds(1), longest: Duration = .seconds(30)) {
    self.first = first
    self.longest = longest
  }

  /// The pause before the next attempt, after one that failed.
  package mutating func next() -> Duration {
    let pause = latest.map { min($0 * 2, longest) } ?? first
    latest = pause
    return pause
  }

  /// Begins anew after an attempt that succeeded.
  package mutating func reset() { latest = nil }
}

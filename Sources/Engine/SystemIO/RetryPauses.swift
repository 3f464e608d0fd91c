internal import Glibc

/// The pauses between attempts that keep failing: each is that before, times a factor, up to a longest. Pure.
package struct RetryPauses: Sendable {
  private let first: Duration
  private let factor: Double
  private let longest: Duration
  private var number = 0

  /// Pauses that begin with `first`. Negative times count as zero, and a factor that is no number as one.
  package init(first: Duration = .seconds(1), factor: Double = 2, longest: Duration = .seconds(30)) {
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// The pause of a number from 1: `first · factor^(number - 1)`, at most the longest.
  package func pause(_ number: Int) -> Duration {
    guard first > .zero, longest > .zero else { return .zero }
    let growth = factor.isFinite && factor >= 0 ? pow(factor, Double(max(0, number - 1))) : 1
    return growth < longest / first ? first * growth : longest
  }

  /// The pause before the next attempt, after one that failed.
  package mutating func next() -> Duration {
    number += 1
    return pause(number)
  }

  /// Begins anew after an attempt that succeeded.
  package mutating func reset() { number = 0 }
}

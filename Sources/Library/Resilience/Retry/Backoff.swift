internal import SystemIO

/// The pauses between attempts, which grow by a factor up to a cap.
public struct Backoff: Hashable, Sendable {
  /// The ways to keep clients from trying again at the same moment. Further ways may be added.
  @nonexhaustive
  public enum Jitter: Hashable, Sendable {
    /// Each pause is as long as it may be.
    case none
    /// Each pause is a random time between zero and the longest.
    case full
  }

  /// The longest pause before the first retry.
  public var base: Duration
  /// The factor by which each further pause may be longer.
  public var factor: Double
  /// The longest pause of all.
  public var cap: Duration
  /// The randomness of each pause.
  public var jitter: Jitter

  /// Pauses as given. Negative times count as zero, and a factor that is no number as one.
  public init(
    base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30), jitter: Jitter = .full
  ) {
    self.base = base
    self.factor = factor
    self.cap = cap
    self.jitter = jitter
  }

  /// Half a second, then twice as long each time, up to 30 seconds, with full jitter.
  public static let standard = Backoff()
  /// No pauses.
  public static let none = constant(.zero)

  /// The same pause each time.
  public static func constant(_ pause: Duration) -> Backoff {
    Backoff(base: pause, factor: 1, cap: pause, jitter: .none)
  }

  /// The longest pause before a retry: `base · factor^(retry - 1)`, at most ``cap``.
  ///
  /// - Parameter retry: The number of the retry, from 1.
  public func limit(beforeRetry retry: Int) -> Duration {
    RetryPauses(first: base, factor: factor, longest: cap).pause(retry)
  }

  /// The pause before a retry that a server asks for: at least the time that it names, which it may have named to all
  /// of its clients at once. With jitter, a random share of the longest pause, or of a quarter of it, comes on top.
  ///
  /// - Parameter remaining: The time until the deadline, half of whose rest is left at least; `nil` without one.
  func delay(
    beforeRetry retry: Int, after minimum: Duration, remaining: Duration?,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    guard minimum > .zero, jitter == .full else { return max(minimum, delay(beforeRetry: retry, using: &generator)) }
    let spread = max(limit(beforeRetry: retry), minimum / 4)
    let room = remaining.map { max(.zero, ($0 - minimum) / 2) } ?? spread
    return minimum + min(spread, room) * generator.fraction()
  }

  /// The pause before a retry.
  ///
  /// - Parameters:
  ///   - retry: The number of the retry, from 1.
  ///   - generator: The source of the jitter.
  public func delay(beforeRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let limit = limit(beforeRetry: retry)
    return switch jitter {
    case .none: limit
    // A product of floating-point numbers is rounded, up as well.
    case .full: min(limit, limit * generator.fraction())
    }
  }
}

extension RandomNumberGenerator {
  /// A random number between 0 and 1, both included.
  mutating func fraction() -> Double {
    Double(next() >> 11) / Double((1 << 53) - 1)
  }
}

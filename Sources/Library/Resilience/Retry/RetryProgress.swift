internal import ConnectivityCore

/// The attempts of one retry so far, and the next step after one that has failed. It performs nothing.
struct RetryProgress {
  enum Step: Hashable, Sendable {
    /// The failure is thrown.
    case end(RetryEnd)
    /// The operation is called again after a pause, when the path is as required.
    case pause(Duration)
  }

  private(set) var attempt = RetryAttempt(number: 0, callCount: 0)
  /// Whether the next call of the operation is an attempt of its own.
  private(set) var isNextCounted = true
  /// Whether no attempt has sent anything, as far as can be seen.
  private(set) var isUnsent = true
  private var pathWaits = 0

  /// Notes that the operation is called.
  mutating func begin(on path: NetworkPath) -> RetryAttempt {
    if isNextCounted { attempt.number += 1 }
    attempt.callCount += 1
    attempt.path = path
    isNextCounted = true
    return attempt
  }

  /// The step after an attempt that has failed.
  ///
  /// - Parameters:
  ///   - remaining: The time until the deadline; `nil` without one.
  ///   - generator: The source of the jitter.
  mutating func step(
    after failed: FailedAttempt, _ decision: RetryDecision, _ policy: RetryPolicy, remaining: Duration?,
    using generator: inout some RandomNumberGenerator
  ) -> Step {
    isUnsent = isUnsent && failed.traits.isUnsent
    guard case .retry(let minimum) = decision else { return .end(.failed) }
    if failed.isPathLost {
      guard pathWaits < policy.reconnection.maximumWaits else { return .end(.pathWaitsExhausted) }
      pathWaits += 1
      isNextCounted = false
      return .pause(.zero)
    }
    guard minimum <= policy.retryAfterCap else { return .end(.retryAfterTooLong) }
    guard attempt.number < policy.maximumAttempts else { return .end(.attemptsExhausted) }
    let pause = policy.backoff.delay(
      beforeRetry: attempt.number, after: minimum, remaining: remaining, using: &generator)
    if let remaining, pause >= remaining { return .end(.timedOut) }
    return .pause(pause)
  }
}

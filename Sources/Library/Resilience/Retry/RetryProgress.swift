internal import ConnectivityCore

/// The progress of one retry: which attempts were made, and the next step after one that has failed. It performs
/// nothing.
struct RetryProgress {
  enum Step: Hashable, Sendable {
    /// The failure is thrown.
    case end(RetryEnd)
    /// The operation is called again after a pause, if the budget allows it.
    case pause(Duration)
    /// The operation is called again when there is a path.
    case waitForPath
  }

  private(set) var attempt = RetryAttempt(number: 0, callCount: 0)
  /// Whether the next call of the operation is an attempt of its own.
  private var isNextCounted = true
  /// Whether an attempt that had sent nothing was repeated without being counted.
  private var hasRepeatedUnsent = false
  private var pathWaits = 0

  /// Notes that the operation is called.
  mutating func begin() -> RetryAttempt {
    if isNextCounted { attempt.number += 1 }
    attempt.callCount += 1
    isNextCounted = true
    return attempt
  }

  /// The step after an attempt that has failed.
  ///
  /// - Parameters:
  ///   - hasMonitor: Whether there is a monitor to wait for a path.
  ///   - remaining: The time until the deadline; `nil` without one.
  ///   - generator: The source of the jitter.
  mutating func step(
    after failed: FailedAttempt, _ decision: RetryDecision, _ policy: RetryPolicy, hasMonitor: Bool,
    remaining: Duration?, using generator: inout some RandomNumberGenerator
  ) -> Step {
    switch decision {
    case .fail: return .end(.failed)
    case .retryWhenConnected where hasMonitor && failed.path.knowledge == .known:
      return waitForPath(policy, remaining: remaining)
    case .retryWhenConnected:
      return pause(failed, policy, atLeast: failed.traits.retryAfter ?? .zero, remaining, &generator)
    case .retry(let minimum): return pause(failed, policy, atLeast: minimum, remaining, &generator)
    }
  }

  private mutating func waitForPath(_ policy: RetryPolicy, remaining: Duration?) -> Step {
    guard pathWaits < policy.reconnection.maximumWaits else { return .end(.pathWaitsExhausted) }
    if let remaining, remaining <= .zero { return .end(.timedOut) }
    pathWaits += 1
    isNextCounted = false
    return .waitForPath
  }

  private mutating func pause(
    _ failed: FailedAttempt, _ policy: RetryPolicy, atLeast minimum: Duration, _ remaining: Duration?,
    _ generator: inout some RandomNumberGenerator
  ) -> Step {
    guard minimum <= policy.retryAfterCap else { return .end(.retryAfterTooLong) }
    if failed.traits.isUnsent, failed.traits.kind != .offline, minimum <= .zero, !hasRepeatedUnsent {
      if let remaining, remaining <= .zero { return .end(.timedOut) }
      hasRepeatedUnsent = true
      isNextCounted = false
      return .pause(.zero)
    }
    guard attempt.number < policy.maximumAttempts else { return .end(.attemptsExhausted) }
    let pause = max(minimum, policy.backoff.delay(beforeRetry: attempt.number, using: &generator))
    if let remaining, pause >= remaining { return .end(.timedOut) }
    return .pause(pause)
  }
}

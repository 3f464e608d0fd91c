public import ConnectivityCore

/// An event of a retry, for logs and metrics. Further events may be added: a `switch` needs `@unknown default`.
@nonexhaustive
public enum RetryEvent: Sendable {
  /// The operation is about to be called.
  case attemptBegan(RetryAttempt)
  /// The operation has failed, and this was decided.
  case attemptFailed(FailedAttempt, RetryDecision)
  /// A pause begins.
  case pausing(Duration)
  /// A wait for a path begins; the path is the present one.
  case waitingForPath(NetworkPath)
  /// The retry is over.
  case ended(RetryEnd)
}

/// The cause of the end of a retry. Further causes may be added: a `switch` needs `@unknown default`.
@nonexhaustive
public enum RetryEnd: Hashable, Sendable {
  /// The operation has succeeded.
  case succeeded
  /// The decision was to fail.
  case failed
  /// ``RetryPolicy/maximumAttempts`` were made.
  case attemptsExhausted
  /// ``RetryPolicy/timeout`` is over, or would be before the next attempt.
  case timedOut
  /// The retry budget of the server is spent.
  case budgetExhausted
  /// The retry has waited for a path as often as ``Reconnection/maximumWaits`` allows.
  case pathWaitsExhausted
  /// The server asks for a longer wait than ``RetryPolicy/retryAfterCap``.
  case retryAfterTooLong
  /// The task was cancelled.
  case cancelled
}

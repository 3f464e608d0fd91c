public import ConnectivityCore

/// The rules for the repetition of an operation that fails.
///
/// The limits enclose each other: ``timeout`` is around everything, then come the budget and the circuit breaker of
/// ``health``, then ``attemptTimeout``, then the attempt.
///
/// ```swift
/// var policy = RetryPolicy.idempotent
/// policy.timeout = .seconds(60)
/// policy.attemptTimeout = .seconds(10)
/// ```
public struct RetryPolicy: Sendable {
  /// The largest number of attempts, the first one included.
  public var maximumAttempts: Int
  /// The longest time for all attempts and all waits together; `nil` for no limit. When it is over, a running attempt
  /// is cancelled.
  public var timeout: Duration?
  /// The longest time for each attempt; `nil` for no limit. When it is over, the attempt is cancelled and counts as
  /// failed with ``RetryInterruption/Reason/attemptTimedOut``.
  public var attemptTimeout: Duration?
  /// The pauses between attempts.
  public var backoff: Backoff
  /// The longest time that a server may ask a client to wait. If it asks for more, the failure is thrown at once.
  public var retryAfterCap: Duration
  /// Whether the operation can be executed twice without harm, such as reading. Otherwise only attempts that have sent
  /// nothing are repeated.
  public var isIdempotent: Bool
  /// The wait for a path.
  public var reconnection: Reconnection
  /// The budget and the circuit breaker of the server; `nil` for none. All requests to one server share one object.
  public var health: ServerHealth?
  /// The source of the jitter. Each retry begins with a copy of it.
  public var generator: any RandomNumberGenerator & Sendable
  /// Finds the traits of an error.
  public var judge: @Sendable (any Error) -> FailureTraits
  /// Decides about each failed attempt.
  public var decide: @Sendable (FailedAttempt) -> RetryDecision
  /// Called with each event of a retry, for logs and metrics; `nil` for nothing. It runs in the task of the retry.
  public var onEvent: (@Sendable (RetryEvent) -> Void)?

  /// A policy as given.
  public init(
    maximumAttempts: Int = 3, timeout: Duration? = nil, attemptTimeout: Duration? = nil, backoff: Backoff = .standard,
    retryAfterCap: Duration = .seconds(120), isIdempotent: Bool = false, reconnection: Reconnection = Reconnection(),
    health: ServerHealth? = nil
  ) {
    self.maximumAttempts = maximumAttempts
    self.timeout = timeout
    self.attemptTimeout = attemptTimeout
    self.backoff = backoff
    self.retryAfterCap = retryAfterCap
    self.isIdempotent = isIdempotent
    self.reconnection = reconnection
    self.health = health
    generator = SystemRandomNumberGenerator()
    judge = { FailureTraits(of: $0) }
    decide = { RetryDecision.standard(for: $0) }
    onEvent = nil
  }

  /// Three attempts with back-off. Work that may have reached the server is not repeated.
  public static let standard = RetryPolicy()
  /// Three attempts with back-off, for work that can be executed twice without harm.
  public static let idempotent = RetryPolicy(isIdempotent: true)
  /// One attempt. It is repeated only when there was no path.
  public static let once = RetryPolicy(maximumAttempts: 1)
  /// One attempt and no wait.
  public static let never: RetryPolicy = {
    var policy = RetryPolicy(maximumAttempts: 1)
    policy.decide = { _ in .fail }
    return policy
  }()
}

/// The wait for a path, and the return of those that waited.
public struct Reconnection: Hashable, Sendable {
  /// The requirement that the path must meet.
  public var requirement: PathRequirement
  /// The number of times that one retry may wait for a path. It bounds the work on a path that comes and goes.
  public var maximumWaits: Int
  /// The time over which the waiting operations begin again at random moments when the path is back, so that not all
  /// clients of a server return at once.
  public var spread: Duration
  /// The largest number of operations with the same monitor and the same values here that run at a time after a wait.
  /// The others follow as these end.
  public var maximumConcurrent: Int

  /// A wait as given.
  public init(
    requirement: PathRequirement = .connected, maximumWaits: Int = 10, spread: Duration = .seconds(1),
    maximumConcurrent: Int = 16
  ) {
    self.requirement = requirement
    self.maximumWaits = maximumWaits
    self.spread = spread
    self.maximumConcurrent = maximumConcurrent
  }
}

public import ConnectivityCore

/// The rules for the repetition of an operation that fails.
///
/// The limits enclose each other, from outside in: the total time (``timeout``), the wait for the path, the ``budget``,
/// the time of an attempt (``attemptTimeout``), the attempt. A wait for the path is measured by the total time alone.
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
  /// Whether nobody has set ``timeout``: it is the total time of a session.
  package var isTimeoutImplied = false
  /// The longest time for each attempt; `nil` for no limit. When it is over, the attempt is cancelled and counts as
  /// failed with ``RetryInterruption/Reason/attemptTimedOut``. The time stands still while the attempt waits for a
  /// path, as requests of `RequestsOnPath`, `PathMonitor.waitUntil` and `PathMonitor.withPath` do.
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
  /// The budget for retries to the server; `nil` for no limit. All requests to one server share one object.
  public var budget: RetryBudget?
  /// The source of the jitter. Each retry begins with a copy of it.
  public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// Finds the traits of an error.
  public var judge: @Sendable (any Error) -> FailureTraits = { FailureTraits(of: $0) }
  /// Decides about each failed attempt.
  public var decide: @Sendable (FailedAttempt) -> RetryDecision = { .standard(for: $0) }
  /// Called with each event of a retry, for logs and metrics; `nil` for nothing. It runs in the task of the retry.
  public var onEvent: (@Sendable (RetryEvent) -> Void)?

  /// A policy that decides by the traits of each failure: see ``RetryDecision/standard(for:)``.
  public init(
    isIdempotent: Bool, maximumAttempts: Int = 3, timeout: Duration? = nil, attemptTimeout: Duration? = nil,
    backoff: Backoff = .standard, retryAfterCap: Duration = .seconds(120),
    reconnection: Reconnection = Reconnection(), budget: RetryBudget? = nil
  ) {
    self.isIdempotent = isIdempotent
    self.maximumAttempts = maximumAttempts
    self.timeout = timeout
    self.attemptTimeout = attemptTimeout
    self.backoff = backoff
    self.retryAfterCap = retryAfterCap
    self.reconnection = reconnection
    self.budget = budget
  }

  /// A policy that repeats the operation after any error but a cancellation, up to so many calls. The operation must be
  /// one that can be executed twice without harm.
  ///
  /// ```swift
  /// let report = try await retry(RetryPolicy(maximumAttempts: 5)) { try await load() }
  /// ```
  public init(
    maximumAttempts: Int, timeout: Duration? = nil, attemptTimeout: Duration? = nil, backoff: Backoff = .standard
  ) {
    self.init(
      isIdempotent: true, maximumAttempts: maximumAttempts, timeout: timeout, attemptTimeout: attemptTimeout,
      backoff: backoff)
    decide = { $0.traits.kind == .cancelled ? .fail : .retry(after: $0.traits.retryAfter ?? .zero) }
  }

  /// Three attempts with back-off. Work that may have reached the server is not repeated.
  public static let standard = RetryPolicy(isIdempotent: false)
  /// Three attempts with back-off, for work that can be executed twice without harm.
  public static let idempotent = RetryPolicy(isIdempotent: true)
  /// One attempt, when the path is as required. It is repeated only if it has sent nothing and its path was gone.
  public static let once = RetryPolicy(isIdempotent: false, maximumAttempts: 1)
  /// One attempt and no wait.
  public static let never: RetryPolicy = {
    var policy = RetryPolicy(
      isIdempotent: false, maximumAttempts: 1, reconnection: Reconnection(maximumWaits: 0))
    policy.decide = { _ in .fail }
    return policy
  }()
}

/// The wait for a path, and the return of those that waited.
public struct Reconnection: Hashable, Sendable {
  /// The requirement that the path must meet.
  public var requirement: PathRequirement
  /// The number of times that an attempt whose path was gone is repeated without being counted. It bounds the work on a
  /// path that comes and goes. With zero, the retry waits for no path.
  public var maximumWaits: Int
  /// The longest time for which the path has to stay as required after a wait, before the operation is called. Each
  /// wait takes a random share of it, so that not all clients of a server return at once.
  public var spread: Duration

  /// A wait as given.
  public init(
    requirement: PathRequirement = .connected, maximumWaits: Int = 10, spread: Duration = .seconds(2)
  ) {
    self.requirement = requirement
    self.maximumWaits = maximumWaits
    self.spread = spread
  }
}

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
  /// The rules. The copies of a policy share them, and a policy that is changed gets new ones: a retry that waits
  /// keeps a reference alone, which the row `resilience-waiters` of the benchmarks shows.
  private var content: Content

  /// The largest number of attempts, the first one included.
  public var maximumAttempts: Int {
    get { content.rules.maximumAttempts }
    set { rules.maximumAttempts = newValue }
  }
  /// The longest time for all attempts and all waits together; `nil` for no limit. When it is over, a running attempt
  /// is cancelled.
  public var timeout: Duration? {
    get { content.rules.timeout }
    set { rules.timeout = newValue }
  }
  /// The longest time for each attempt; `nil` for no limit. When it is over, the attempt is cancelled and counts as
  /// failed with ``RetryInterruption/Reason/attemptTimedOut``.
  public var attemptTimeout: Duration? {
    get { content.rules.attemptTimeout }
    set { rules.attemptTimeout = newValue }
  }
  /// The pauses between attempts.
  public var backoff: Backoff {
    get { content.rules.backoff }
    set { rules.backoff = newValue }
  }
  /// The longest time that a server may ask a client to wait. If it asks for more, the failure is thrown at once.
  public var retryAfterCap: Duration {
    get { content.rules.retryAfterCap }
    set { rules.retryAfterCap = newValue }
  }
  /// Whether the operation can be executed twice without harm, such as reading. Otherwise only attempts that have sent
  /// nothing are repeated.
  public var isIdempotent: Bool {
    get { content.rules.isIdempotent }
    set { rules.isIdempotent = newValue }
  }
  /// The wait for a path.
  public var reconnection: Reconnection {
    get { content.rules.reconnection }
    set { rules.reconnection = newValue }
  }
  /// The budget and the circuit breaker of the server; `nil` for none. All requests to one server share one object.
  public var health: ServerHealth? {
    get { content.rules.health }
    set { rules.health = newValue }
  }
  /// The source of the jitter. Each retry begins with a copy of it.
  public var generator: any RandomNumberGenerator & Sendable {
    get { content.rules.generator }
    set { rules.generator = newValue }
  }
  /// Finds the traits of an error.
  public var judge: @Sendable (any Error) -> FailureTraits {
    get { content.rules.judge }
    set { rules.judge = newValue }
  }
  /// Decides about each failed attempt.
  public var decide: @Sendable (FailedAttempt) -> RetryDecision {
    get { content.rules.decide }
    set { rules.decide = newValue }
  }
  /// Called with each event of a retry, for logs and metrics; `nil` for nothing. It runs in the task of the retry.
  public var onEvent: (@Sendable (RetryEvent) -> Void)? {
    get { content.rules.onEvent }
    set { rules.onEvent = newValue }
  }

  /// A policy as given.
  public init(
    maximumAttempts: Int = 3, timeout: Duration? = nil, attemptTimeout: Duration? = nil, backoff: Backoff = .standard,
    retryAfterCap: Duration = .seconds(120), isIdempotent: Bool = false, reconnection: Reconnection = Reconnection(),
    health: ServerHealth? = nil
  ) {
    content = Content(
      Rules(
        maximumAttempts: maximumAttempts, timeout: timeout, attemptTimeout: attemptTimeout, backoff: backoff,
        retryAfterCap: retryAfterCap, isIdempotent: isIdempotent, reconnection: reconnection, health: health,
        generator: SystemRandomNumberGenerator(), judge: { FailureTraits(of: $0) },
        decide: { RetryDecision.standard(for: $0) }, onEvent: nil))
  }

  /// The rules; a policy that is changed gets a content of its own.
  private var rules: Rules {
    get { content.rules }
    set { content = Content(newValue) }
  }

  /// Whether nothing limits or watches the first attempt.
  var hasNoLimits: Bool { content.hasNoLimits }

  private struct Rules: Sendable {
    var maximumAttempts: Int
    var timeout: Duration?
    var attemptTimeout: Duration?
    var backoff: Backoff
    var retryAfterCap: Duration
    var isIdempotent: Bool
    var reconnection: Reconnection
    var health: ServerHealth?
    var generator: any RandomNumberGenerator & Sendable
    var judge: @Sendable (any Error) -> FailureTraits
    var decide: @Sendable (FailedAttempt) -> RetryDecision
    var onEvent: (@Sendable (RetryEvent) -> Void)?
  }

  private final class Content: Sendable {
    let rules: Rules
    let hasNoLimits: Bool

    init(_ rules: Rules) {
      self.rules = rules
      hasNoLimits =
        rules.timeout == nil && rules.attemptTimeout == nil && rules.health == nil && rules.onEvent == nil
    }
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

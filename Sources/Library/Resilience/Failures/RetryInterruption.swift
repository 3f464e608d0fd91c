/// The end of an attempt or of a retry that the operation did not cause: its time was over, or it was not admitted.
public struct RetryInterruption: FailureTraitsProviding, CustomStringConvertible {
  /// The causes of an interruption. Further causes may be added: a `switch` needs `@unknown default`.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The task was cancelled while it waited for the next attempt.
    case cancelled
    /// The attempt took longer than ``RetryPolicy/attemptTimeout``.
    case attemptTimedOut
    /// All attempts and waits together took longer than ``RetryPolicy/timeout``.
    case timedOut
    /// The circuit breaker of the server admits no request for this time.
    case circuitOpen(for: Duration)
  }

  /// The cause.
  public var reason: Reason
  /// The error of the attempt that was cut off, or of the last one before; `nil` when there was none.
  public var underlying: (any Error)?

  /// An interruption as given.
  public init(_ reason: Reason, underlying: (any Error)? = nil) {
    self.reason = reason
    self.underlying = underlying
  }

  /// A rejected request is unsent. The others may have reached the server.
  public var failureTraits: FailureTraits {
    switch reason {
    case .cancelled: FailureTraits(.cancelled)
    case .attemptTimedOut, .timedOut: FailureTraits(.timedOut)
    case .circuitOpen(let time): FailureTraits(.transient, isUnsent: true, retryAfter: time)
    }
  }

  /// Whether the attempt was not admitted.
  var isRejection: Bool {
    if case .circuitOpen = reason { true } else { false }
  }

  /// The interruption in words, without a full stop.
  public var description: String {
    switch reason {
    case .cancelled: "the task was cancelled"
    case .attemptTimedOut: "the attempt took too long"
    case .timedOut: "all attempts together took too long"
    case .circuitOpen(let time): "the server has failed too often; the next request is admitted in \(time)"
    }
  }
}

/// An error that can stand for an interruption, so that a `retry` with typed errors throws nothing else.
public protocol InterruptibleFailure: Error {
  /// The error that stands for an interruption.
  init(_ interruption: RetryInterruption)
}

extension RetryInterruption: InterruptibleFailure {
  /// The interruption itself.
  public init(_ interruption: RetryInterruption) { self = interruption }
}

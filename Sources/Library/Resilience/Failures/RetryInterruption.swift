public import ConnectivityCore

/// The end of an attempt or of a retry that the operation did not cause: its time was over.
public struct RetryInterruption: FailureTraitsProviding, CustomStringConvertible {
  /// The causes of an interruption. Further causes may be added: a `switch` needs `@unknown default`.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The task was cancelled while it waited for a path or for the next attempt.
    case cancelled
    /// The attempt took longer than ``RetryPolicy/attemptTimeout``.
    case attemptTimedOut
    /// All attempts and waits together took longer than ``RetryPolicy/timeout``.
    case timedOut
  }

  /// The cause.
  public var reason: Reason
  /// The error of the attempt that was cut off, or of the last one before; `nil` when there was none.
  public var underlying: (any Error)?
  /// The path at that time; `NetworkPath.unknown` without a monitor.
  public var path: NetworkPath
  /// Whether no attempt has sent anything, as far as can be seen.
  public var isUnsent: Bool

  /// An interruption as given.
  public init(
    _ reason: Reason, underlying: (any Error)? = nil, path: NetworkPath = .unknown, isUnsent: Bool = false
  ) {
    self.reason = reason
    self.underlying = underlying
    self.path = path
    self.isUnsent = isUnsent
  }

  /// An attempt that was cut off may have reached the server.
  public var failureTraits: FailureTraits {
    FailureTraits(reason == .cancelled ? .cancelled : .timedOut, isUnsent: isUnsent)
  }

  /// The interruption in words, without a full stop.
  public var description: String {
    switch reason {
    case .cancelled: "the task was cancelled"
    case .attemptTimedOut: "the attempt took too long"
    case .timedOut: "all attempts together took too long"
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

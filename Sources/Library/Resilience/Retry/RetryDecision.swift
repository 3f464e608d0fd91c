public import ConnectivityCore

/// One attempt of a retry, as the operation sees it.
public struct RetryAttempt: Hashable, Sendable {
  /// The number of the attempt, from 1. The repetition of an attempt whose path was gone has the same number.
  public var number: Int
  /// The number of times that the operation was called, this one included.
  public var callCount: Int
  /// The path on which the attempt begins; `NetworkPath.unknown` without a monitor.
  public var path: NetworkPath

  /// An attempt as given.
  public init(number: Int, callCount: Int? = nil, path: NetworkPath = .unknown) {
    self.number = number
    self.callCount = callCount ?? number
    self.path = path
  }
}

/// An attempt that has failed, with all that decides about the next one.
public struct FailedAttempt: Sendable {
  /// The error that the operation threw, or a ``RetryInterruption``.
  public var failure: any Error
  /// The traits of the failure, as ``RetryPolicy/judge`` found them.
  public var traits: FailureTraits
  /// The attempt.
  public var attempt: RetryAttempt
  /// The path after the failure; `NetworkPath.unknown` without a monitor.
  public var path: NetworkPath
  /// Whether the path is known not to meet ``Reconnection/requirement``.
  public var isPathUnmet: Bool
  /// Whether the operation can be executed twice without harm.
  public var isIdempotent: Bool

  /// A failed attempt as given.
  public init(
    failure: any Error, traits: FailureTraits, attempt: RetryAttempt, path: NetworkPath = .unknown,
    isPathUnmet: Bool = false, isIdempotent: Bool = false
  ) {
    self.failure = failure
    self.traits = traits
    self.attempt = attempt
    self.path = path
    self.isPathUnmet = isPathUnmet
    self.isIdempotent = isIdempotent
  }

  /// Whether the path explains the failure: it is not as required, and nobody has answered. Such a failure is no
  /// attempt, and says nothing about the server.
  public var isPathLost: Bool { isPathUnmet && !traits.isAnswer }
}

/// The consequence of a failed attempt.
public enum RetryDecision: Hashable, Sendable {
  /// The failure is thrown.
  case fail
  /// The operation is called again. If the path explains the failure (``FailedAttempt/isPathLost``), it is called when
  /// the path is as required, and no attempt is consumed. Otherwise it is called after the back-off, or after
  /// this time and a random share of it, so that not all clients of a server return at once.
  case retry(after: Duration)

  /// The operation is called again.
  public static let retry = RetryDecision.retry(after: .zero)

  /// The standard decision, from the failure and the path.
  ///
  /// | failure | decision |
  /// |---|---|
  /// | cancelled, permanent | fail |
  /// | may have reached the server, and is not idempotent | fail |
  /// | unknown, unless the path explains it | fail |
  /// | any other | retry, after the time that the server asks for |
  public static func standard(for failed: FailedAttempt) -> RetryDecision {
    let traits = failed.traits
    guard traits.isUnsent || failed.isIdempotent else { return .fail }
    return switch traits.kind {
    case .cancelled, .permanent: .fail
    case .unknown where !failed.isPathLost: .fail
    case .offline, .transient, .timedOut, .unknown: .retry(after: traits.retryAfter ?? .zero)
    }
  }
}

public import ConnectivityCore

/// One attempt of a retry, as the operation sees it.
public struct RetryAttempt: Hashable, Sendable {
  /// The number of the attempt, from 1. An attempt that waited for a path has the number of the one before, and so has
  /// the repetition of an attempt that sent nothing.
  public var number: Int
  /// The number of times that the operation was called, this one included.
  public var callCount: Int

  /// An attempt as given.
  public init(number: Int, callCount: Int? = nil) {
    self.number = number
    self.callCount = callCount ?? number
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
}

/// The consequence of a failed attempt.
public enum RetryDecision: Hashable, Sendable {
  /// The failure is thrown.
  case fail
  /// The operation is called again after the back-off, and no sooner than after this time.
  case retry(after: Duration)
  /// The operation is called again when there is a path. This consumes no attempt. Without a monitor, or if the path
  /// is not known, it is a retry with back-off.
  case retryWhenConnected

  /// The operation is called again after the back-off.
  public static let retry = RetryDecision.retry(after: .zero)
}

extension RetryDecision {
  /// The standard decision, from the failure and the path.
  ///
  /// | failure | decision |
  /// |---|---|
  /// | cancelled, permanent, an open circuit | fail |
  /// | may have reached the server, and is not idempotent | fail |
  /// | offline, or any other while the path is known to be unmet | retry when connected |
  /// | unknown | fail |
  /// | transient, timed out | retry, after the time that the server asks for |
  public static func standard(for failed: FailedAttempt) -> RetryDecision {
    let traits = failed.traits
    if traits.kind == .cancelled || traits.kind == .permanent { return .fail }
    guard traits.isUnsent || failed.isIdempotent else { return .fail }
    if (failed.failure as? RetryInterruption)?.isRejection == true { return .fail }
    if traits.kind == .offline || failed.isPathUnmet { return .retryWhenConnected }
    return traits.kind == .unknown ? .fail : .retry(after: traits.retryAfter ?? .zero)
  }
}

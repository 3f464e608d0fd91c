/// The properties of a failure that decide about a retry.
public struct FailureTraits: Hashable, Sendable {
  /// The kinds of failure. Further kinds may be added: a `switch` needs `@unknown default`.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// There was no network path.
    case offline
    /// The failure may be gone soon: a broken connection, a host that refuses, a server that is overloaded.
    case transient
    /// No answer came in time. The server may still work on the request.
    case timedOut
    /// The same attempt would fail again: a malformed request, a missing resource, an answer that makes no sense.
    case permanent
    /// The work was cancelled.
    case cancelled
    /// Nothing is known about the error. Such a failure is not retried while there is a path.
    case unknown
  }

  /// The kind of the failure.
  public var kind: Kind
  /// Whether nothing of the request has reached a server, as far as can be seen. Only then can work that is not
  /// idempotent be repeated.
  public var isUnsent: Bool
  /// The time for which the server asks its clients to wait; `nil` when it does not ask.
  public var retryAfter: Duration?

  /// Traits as given.
  public init(_ kind: Kind, isUnsent: Bool = false, retryAfter: Duration? = nil) {
    self.kind = kind
    self.isUnsent = isUnsent
    self.retryAfter = retryAfter
  }
}

/// An error that knows its own traits.
public protocol FailureTraitsProviding: Error {
  /// The properties of this error that decide about a retry.
  var failureTraits: FailureTraits { get }
}

extension FailureTraits {
  /// The traits of an error: its own, those of a `CancellationError`, or those of the errno of an `NSError`.
  ///
  /// Every other error is ``Kind/unknown``. With `RequestsOnPath`, a `POSIXError` has traits of its own.
  public init(of error: any Error) {
    switch error {
    case let error as any FailureTraitsProviding: self = error.failureTraits
    case is CancellationError: self.init(.cancelled)
    // The code of an NSError of this domain is the errno. A POSIXError shows neither without Foundation.
    case _ where error._domain == "NSPOSIXErrorDomain": self.init(errno: Int32(truncatingIfNeeded: error._code))
    default: self.init(.unknown)
    }
  }
}

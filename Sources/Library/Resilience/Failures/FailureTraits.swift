package import SystemIO

/// The properties of a failure that decide about a retry, together with the path.
public struct FailureTraits: Hashable, Sendable {
  /// The kinds of failure. Further kinds may be added: a `switch` needs `@unknown default`.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The error says that there was no network path as required. A retry asks the path itself: if the path is there,
    /// this counts as ``transient``.
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
  /// Whether the failure is an answer: a server said no, or a host refused the connection. Such a failure counts,
  /// whatever has become of the path.
  public var isAnswer: Bool
  /// The time for which the server asks its clients to wait; `nil` when it does not ask.
  public var retryAfter: Duration?

  /// Traits as given.
  public init(_ kind: Kind, isUnsent: Bool = false, isAnswer: Bool = false, retryAfter: Duration? = nil) {
    self.kind = kind
    self.isUnsent = isUnsent
    self.isAnswer = isAnswer
    self.retryAfter = retryAfter
  }
}

/// An error that knows its own traits.
public protocol FailureTraitsProviding: Error {
  /// The properties of this error that decide about a retry.
  var failureTraits: FailureTraits { get }
}

extension FailureTraits {
  /// The traits of an error: its own, those of a `CancellationError`, or those of the domain and code of an `NSError`.
  ///
  /// Every other error is ``Kind/unknown``. With `RequestsOnPath`, a `URLError` and a `POSIXError` have traits, too.
  public init(of error: any Error) {
    switch error {
    case let error as any FailureTraitsProviding: self = error.failureTraits
    case is CancellationError: self.init(.cancelled)
    // A URLError and a POSIXError show neither without Foundation.
    default: self.init(ErrorMeaning(domain: error._domain, code: error._code))
    }
  }

  /// The traits of an errno, such as `IOError.errnoCode` of SwiftNIO, of which nobody knows whether something was sent.
  public init(errno: Int32) {
    self.init(errno: errno, whileConnecting: false)
  }

  /// The traits of an errno.
  ///
  /// No errno says by itself that nothing was sent: recv(2) of a connection that was established returns `EHOSTUNREACH`
  /// or even `ECONNREFUSED` when a router has sent it meanwhile.
  ///
  /// - Parameters:
  ///   - errno: The errno of a connection.
  ///   - whileConnecting: Whether connect(2) or a step before it has failed, as a `NIOConnectionError` of SwiftNIO
  ///     says. Such a failure is unsent.
  public init(errno: Int32, whileConnecting: Bool) {
    self.init(ErrorMeaning(errno: errno))
    isUnsent = whileConnecting
  }

  /// The traits of a meaning; unknown without one. Only a request that cannot be made is surely unsent.
  package init(_ meaning: ErrorMeaning?) {
    switch meaning {
    // The system says this before it sends anything.
    case .offline: self.init(.offline, isUnsent: true)
    case .noRoute: self.init(.offline)
    case .unreachable, .noName, .exhausted, .brokenOff, .passing: self.init(.transient)
    case .refused: self.init(.transient, isAnswer: true)
    case .timedOut: self.init(.timedOut)
    case .invalidRequest: self.init(.permanent, isUnsent: true)
    case .notPermitted, .insecure, .authenticationRequired, .unsupportedScheme, .invalidAnswer, .unusableFile:
      self.init(.permanent)
    case .cancelled: self.init(.cancelled)
    case nil: self.init(.unknown)
    }
  }
}

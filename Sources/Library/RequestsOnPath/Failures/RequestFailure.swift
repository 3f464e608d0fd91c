internal import ConnectivityCore
public import Foundation
public import PathModel

/// The reason why a request has failed, judged from the error and the path together.
///
/// On Linux, `URLSession` reports the same error for "no network" as for "no such host", or an unknown one. This error
/// also considers the path:
///
/// ```swift
/// do {
///   let (data, response) = try await URLSession.shared.data(for: request, requiring: .connected)
///   show(data, response)
/// } catch {
///   switch error.reason {
///   case .offline, .connectionLost: showOfflinePage()
///   case .cancelled: break
///   default: show(error.localizedDescription)
///   }
/// }
/// ```
///
/// An answer of the server is no failure, whatever its status: ``AnswerFailure`` is the error for one that says no.
public struct RequestFailure: Error, Sendable {
  /// The reasons of a failure. Further reasons may be added: a `switch` needs `@unknown default`, or a `default`.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// There is no network path; nothing has reached the server.
    case offline
    /// There is a path, but it does not meet the requirement.
    case requirementNotMet(PathRequirement)
    /// The connection was made, and then broke off, or its path was lost.
    case connectionLost
    /// It took too long.
    case timedOut(Timeout)
    /// There is a path, but no host of that name is found.
    case hostNotFound
    /// There is a path, but the host refuses a connection or does not answer.
    case cannotConnect
    /// No secure connection can be made: the certificate is not trusted, or the versions do not match. Foundation of
    /// Swift 6.3 says "unknown" of most of these, which is ``other``.
    case insecure
    /// A page came in place of the answer, as networks send it whose users have to sign in: in a hotel, on a train. Or
    /// the request failed, and the path is known to have such a page (`PathValidation.State.portal`). The
    /// URL is that of the page; `nil` when it is not known.
    case captivePortal(URL?)
    /// The server demands authentication, and the session cannot provide it.
    case authenticationRequired
    /// The request cannot be sent as it is: its URL is malformed or of a kind that is not supported.
    case invalidRequest
    /// The answer of the server cannot be understood.
    case invalidResponse
    /// A file that is to be sent, or that the answer is to be written to, cannot be used.
    case unusableFile
    /// The task was cancelled, or the transfer was.
    case cancelled
    /// Any other failure; ``RequestFailure/underlying`` is its error.
    case other
  }

  /// The time limit that was exceeded. The list is complete.
  public enum Timeout: Hashable, Sendable {
    /// No byte has come for the time of `URLRequest.timeoutInterval`.
    case request
    /// The wait for a path and the transfer together took longer than ``RequestOptions/timeout``.
    case resource
  }

  /// The reason of the failure.
  public var reason: Reason
  /// The URL of the request; `nil` when it is not known.
  public var url: URL?
  /// The path at the time of the failure; `NetworkPath.unknown` when the path does not matter, as for a request to this
  /// machine itself.
  public var path: NetworkPath
  /// The error that was judged; `nil` when there was none, as for a request that was refused before it began.
  public var underlying: (any Error)?
  /// Whether no part of the request has left this machine, as far as can be seen. Such a request can be sent again,
  /// whatever its method, and is not executed twice.
  public var isUnsent: Bool

  /// A failure as given.
  public init(
    _ reason: Reason, url: URL? = nil, path: NetworkPath = .unknown, underlying: (any Error)? = nil,
    isUnsent: Bool = false
  ) {
    self.reason = reason
    self.url = url
    self.path = path
    self.underlying = underlying
    self.isUnsent = isUnsent
  }
}

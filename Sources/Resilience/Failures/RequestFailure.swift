internal import ConnectivityCore
public import Foundation
public import PathModel

/// Why a request has failed: the error and the path, judged together.
///
/// On Linux, `URLSession` has the same error for "no network" as for "no such host", or an unknown one. This says what
/// the path says, too:
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
/// An answer of the server is no failure, whatever its status says.
public struct RequestFailure: Error, Sendable {
  /// What has happened. The list is complete: a `switch` needs no `default`.
  public enum Reason: Hashable, Sendable {
    /// There is no network path; nothing has reached the server.
    case offline
    /// There is a path, but not as this requires it.
    case requirementNotMet(PathRequirement)
    /// The connection was made, and then broke off, or its path was lost.
    case connectionLost
    /// It took too long.
    case timedOut(Timeout)
    /// There is a path, but no host of that name is found.
    case hostNotFound
    /// There is a path, but the host refuses a connection or does not answer.
    case cannotConnect
    /// No secure connection can be made: the certificate is not to be trusted, or the versions do not match.
    case insecure
    /// The server demands that one authenticates, and the session does not know how to.
    case authenticationRequired
    /// The request cannot be sent as it is: its URL is malformed or of a kind that is not supported.
    case invalidRequest
    /// What the server answers cannot be understood.
    case invalidResponse
    /// A file that is to be sent, or that the answer is to be written to, cannot be used.
    case unusableFile
    /// The task was cancelled, or the transfer was.
    case cancelled
    /// Something that has no place in this list; ``RequestFailure/underlying`` says what.
    case other
  }

  /// Which time was over.
  public enum Timeout: Hashable, Sendable {
    /// No byte has come for as long as `URLRequest.timeoutInterval`.
    case request
    /// Waiting for a path and the transfer have taken longer together than ``RequestOptions/timeout``.
    case resource
  }

  /// What has happened.
  public var reason: Reason
  /// Where the request went; `nil` when that is not known.
  public var url: URL?
  /// The path at the time of the failure; `NetworkPath.unknown` when it does not matter, as on the way to this
  /// machine itself.
  public var path: NetworkPath
  /// The error that was judged; `nil` when there was none, as when a request was refused before it began.
  public var underlying: (any Error)?
  /// Whether no part of the request has left this machine, as far as can be seen: then it can be sent again without
  /// being done twice, whatever its method.
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

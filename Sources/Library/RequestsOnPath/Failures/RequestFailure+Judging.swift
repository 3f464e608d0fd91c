internal import ConnectivityCore
internal import ErrorHandling
public import Foundation
public import PathModel
internal import SystemIO

extension RequestFailure {
  /// Judges an error of a `URLSession` together with the path, without a clock, input or output.
  ///
  /// An error without a meaning of its own, such as one of another library, is judged by the error below it
  /// (`NSUnderlyingErrorKey`). A `DecodingError` is ``Reason/invalidResponse``.
  ///
  /// The error of a session does not say that nothing was sent: a server that has executed the request may have
  /// redirected it to a host that refuses. So ``isUnsent`` is false, except for a request that cannot be made.
  ///
  /// - Parameters:
  ///   - error: The error that was thrown. A `RequestFailure` stays as it is, even if it is below other errors.
  ///   - url: The URL of the request.
  ///   - pathBefore: The path when the request began.
  ///   - path: The path now, after the error.
  public init(
    judging error: any Error, url: URL? = nil, pathBefore: NetworkPath = .unknown, path: NetworkPath = .unknown
  ) {
    var meaning: ErrorMeaning?
    for cause in ErrorCauses(of: error) {
      if let failure = cause as? RequestFailure {
        self = failure
        return
      }
      meaning = ErrorMeaning(of: cause)
      if meaning != nil { break }
    }
    self.init(
      Reason(meaning, url: url, pathBefore: pathBefore, path: path), url: url, path: path, underlying: error,
      isUnsent: FailureTraits(meaning).isUnsent)
  }

  /// Judges an errno together with the path, such as `IOError.errnoCode` of SwiftNIO, of which nobody knows whether
  /// something was sent.
  public static func judging(
    errno: Int32, url: URL? = nil, pathBefore: NetworkPath = .unknown, path: NetworkPath = .unknown,
    underlying: (any Error)? = nil
  ) -> RequestFailure {
    judging(
      errno: errno, whileConnecting: false, url: url, pathBefore: pathBefore, path: path, underlying: underlying)
  }

  /// Judges an errno together with the path.
  ///
  /// - Parameters:
  ///   - errno: The errno of a connection.
  ///   - whileConnecting: Whether connect(2) or a step before it has failed, so that nothing was sent.
  ///   - url: The URL of the request.
  ///   - pathBefore: The path when the request began.
  ///   - path: The path now, after the error.
  ///   - underlying: The error that has the errno.
  public static func judging(
    errno: Int32, whileConnecting: Bool, url: URL? = nil, pathBefore: NetworkPath = .unknown,
    path: NetworkPath = .unknown, underlying: (any Error)? = nil
  ) -> RequestFailure {
    let error = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    var failure = RequestFailure(judging: error, url: url, pathBefore: pathBefore, path: path)
    failure.isUnsent = whileConnecting
    failure.underlying = underlying ?? error
    return failure
  }
}

extension RequestFailure.Reason {
  /// The reason of a failure, from the meaning of its error and the path together.
  ///
  /// Only a known path matters: a stale or unknown path turns no error into "offline".
  fileprivate init(_ meaning: ErrorMeaning?, url: URL?, pathBefore: NetworkPath, path: NetworkPath) {
    if let portal = Self.portal(meaning, url: url, path: path) {
      self = portal
      return
    }
    let isOffline = path.isKnownUnsatisfied
    // An error that can come at any time, when there is no path now.
    let lost: Self = pathBefore.knowledge == .known && pathBefore.status == .satisfied ? .connectionLost : .offline
    self =
      switch meaning {
      case .offline: .offline
      case .noRoute, .unreachable: isOffline ? .offline : .cannotConnect
      // If no name server is known, a name that is not found says nothing about the host.
      case .noName: isOffline || path.knowledge == .known && !path.supportsDNS ? .offline : .hostNotFound
      // A host has answered, even if only to refuse: there is a path to it, whatever the monitor reports.
      case .refused: .cannotConnect
      case .brokenOff: .connectionLost
      case .timedOut: isOffline ? lost : .timedOut(.request)
      case .insecure: .insecure
      case .authenticationRequired: .authenticationRequired
      case .invalidRequest: .invalidRequest
      // The answer is no HTTP if the scheme is fine.
      case .unsupportedScheme:
        ["http", "https"].contains(url?.scheme?.lowercased()) ? .invalidResponse : .invalidRequest
      case .invalidAnswer: .invalidResponse
      case .unusableFile: .unusableFile
      case .cancelled: .cancelled
      case .exhausted, .passing, .notPermitted, nil: isOffline ? lost : .other
      }
  }
}

extension RequestFailure.Reason {
  /// The sign-in page that the network is known to have, as the reason of a failure that such a network brings about.
  private static func portal(_ meaning: ErrorMeaning?, url: URL?, path: NetworkPath) -> Self? {
    guard path.knowledge == .known, path.validation.state == .portal, url?.isLocal != true else { return nil }
    switch meaning {
    case .noName, .noRoute, .unreachable, .refused, .brokenOff, .timedOut, .insecure, .invalidAnswer:
      return .captivePortal(path.validation.portal.flatMap { URL(string: $0) })
    default: return nil
    }
  }
}

extension NetworkPath {
  /// Whether it is known that there is no path.
  var isKnownUnsatisfied: Bool { knowledge == .known && status != .satisfied }
}

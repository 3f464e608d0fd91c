internal import ConnectivityCore
public import Foundation
public import PathModel

extension RequestFailure {
  /// Judges an error of a `URLSession` together with the path, without a clock, input or output.
  ///
  /// An error without a meaning of its own, such as one of another library, is judged by the error below it
  /// (`NSUnderlyingErrorKey`). A `DecodingError` is ``Reason/invalidResponse``.
  ///
  /// - Parameters:
  ///   - error: The error that was thrown. A `RequestFailure` stays as it is, even if it is below other errors.
  ///   - url: The URL of the request.
  ///   - pathBefore: The path when the request began.
  ///   - path: The path now, after the error.
  public init(
    judging error: any Error, url: URL? = nil, pathBefore: NetworkPath = .unknown, path: NetworkPath = .unknown
  ) {
    var meaning = ErrorMeaning.unexplained
    for link in ErrorChain(error) {
      if !link.isURLError, let failure = link.error as? RequestFailure {
        self = failure
        return
      }
      if !meaning.isExplained { meaning = ErrorMeaning(link) }
    }
    self.init(
      meaning.reason(pathBefore: pathBefore, path: path), url: url, path: path, underlying: error,
      isUnsent: meaning.isBeforeConnection)
  }
}

extension RequestFailure {
  /// Judges an errno together with the path, such as `IOError.errnoCode` of SwiftNIO.
  ///
  /// - Parameters:
  ///   - errno: The errno of connect(2), send(2) or recv(2).
  ///   - url: The URL of the request.
  ///   - pathBefore: The path when the request began.
  ///   - path: The path now, after the error.
  ///   - underlying: The error that has the errno.
  public static func judging(
    errno: Int32, url: URL? = nil, pathBefore: NetworkPath = .unknown, path: NetworkPath = .unknown,
    underlying: (any Error)? = nil
  ) -> RequestFailure {
    let error = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    var failure = RequestFailure(judging: error, url: url, pathBefore: pathBefore, path: path)
    failure.underlying = underlying ?? error
    return failure
  }
}

extension ErrorMeaning {
  /// The reason of the failure, from the error and the path together.
  ///
  /// Only a known path matters: a stale or unknown path turns no error into "offline".
  fileprivate func reason(pathBefore: NetworkPath, path: NetworkPath) -> RequestFailure.Reason {
    let isOffline = path.isKnownUnsatisfied
    switch self {
    case .certain(let reason): return reason
    case .noConnection: return isOffline ? .offline : .cannotConnect
    // If no name server is known, a name that is not found says nothing about the host.
    case .noName: return isOffline || path.knowledge == .known && !path.supportsDNS ? .offline : .hostNotFound
    case .silence: return isOffline ? Self.lost(since: pathBefore) : .timedOut(.request)
    case .unexplained: return isOffline ? Self.lost(since: pathBefore) : .other
    }
  }

  /// The reason of an error that can come at any time, when there is no path now.
  private static func lost(since path: NetworkPath) -> RequestFailure.Reason {
    path.knowledge == .known && path.status == .satisfied ? .connectionLost : .offline
  }
}

extension NetworkPath {
  /// Whether it is known that there is no path.
  var isKnownUnsatisfied: Bool { knowledge == .known && status != .satisfied }
}

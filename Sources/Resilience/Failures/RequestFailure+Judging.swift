internal import ConnectivityCore
public import Foundation
public import PathModel

extension RequestFailure {
  /// Judges what a `URLSession` has thrown by what is known of the path: no clock, no input, no output.
  ///
  /// An error that says nothing itself, such as one of another library, is judged by the one below it
  /// (`NSUnderlyingErrorKey`). A `DecodingError` is ``Reason/invalidResponse``.
  ///
  /// - Parameters:
  ///   - error: The error that was thrown. A `RequestFailure` stays as it is, also below other errors.
  ///   - url: Where the request went.
  ///   - pathBefore: The path when the request began.
  ///   - path: The path now, after the error.
  public init(
    judging error: any Error, url: URL? = nil, pathBefore: NetworkPath = .unknown, path: NetworkPath = .unknown
  ) {
    if let failure = ErrorChain(error).lazy.compactMap({ $0 as? RequestFailure }).first {
      self = failure
      return
    }
    let meaning = ErrorMeaning(error)
    self.init(
      meaning.reason(pathBefore: pathBefore, path: path), url: url, path: path, underlying: error,
      isUnsent: meaning.isBeforeConnection)
  }
}

extension ErrorMeaning {
  /// What has happened, by the error and the path together.
  ///
  /// Only a path that is known counts: what is stale or was never known turns no error into "offline".
  fileprivate func reason(pathBefore: NetworkPath, path: NetworkPath) -> RequestFailure.Reason {
    let isOffline = path.isKnownUnsatisfied
    switch self {
    case .certain(let reason): return reason
    case .noConnection: return isOffline ? .offline : .cannotConnect
    // A name that is not found where no name server is known says nothing about the host.
    case .noName: return isOffline || path.knowledge == .known && !path.supportsDNS ? .offline : .hostNotFound
    case .silence: return isOffline ? Self.lost(since: pathBefore) : .timedOut(.request)
    case .unexplained: return isOffline ? Self.lost(since: pathBefore) : .other
    }
  }

  /// What it means that there is no path after an error that could have come at any time.
  private static func lost(since path: NetworkPath) -> RequestFailure.Reason {
    path.knowledge == .known && path.status == .satisfied ? .connectionLost : .offline
  }
}

extension NetworkPath {
  /// Whether it is known that there is no path.
  var isKnownUnsatisfied: Bool { knowledge == .known && status != .satisfied }
}

internal import ConnectivityCore
internal import Foundation
internal import FoundationNetworking

/// What an error of a `URLSession` tells without the path.
enum ErrorMeaning: Hashable, Sendable {
  /// The same on every path.
  case certain(RequestFailure.Reason)
  /// No connection could be made.
  case noConnection
  /// The name of the host could not be resolved.
  case noName
  /// Nothing came for a while.
  case silence
  /// It can mean anything.
  case unexplained

  /// Whether the error comes before anything is sent.
  var isBeforeConnection: Bool {
    switch self {
    case .noConnection, .noName, .certain(.offline), .certain(.cannotConnect), .certain(.invalidRequest): true
    case .certain, .silence, .unexplained: false
    }
  }

  /// Whether the path can make another reason of it.
  var dependsOnPath: Bool {
    if case .certain = self { false } else { true }
  }

  /// The meaning of what was thrown.
  init(_ error: any Error) {
    if error is CancellationError {
      self = .certain(.cancelled)
      return
    }
    // An NSError of this domain is no URLError here, but a URLError is an NSError.
    let error = error as NSError
    guard error.domain == NSURLErrorDomain else {
      self = error.domain == NSCocoaErrorDomain ? .certain(.unusableFile) : .unexplained
      return
    }
    guard let code = URLError.Code(rawValue: error.code) else {
      self = .unexplained
      return
    }
    self.init(code: code, complaint: CurlComplaint(error.localizedDescription))
  }

  /// The meaning of a code, and of what libcurl complains about in its own words.
  init(code: URLError.Code, complaint: CurlComplaint?) {
    switch code {
    case .unknown: self = complaint.map(Self.init) ?? .unexplained
    // These two have a meaning of their own, unless libcurl says more exactly what it was.
    case .unsupportedURL: self = complaint == .answer ? .certain(.invalidResponse) : .certain(.invalidRequest)
    case .badServerResponse: self = complaint == .brokenOff ? .certain(.connectionLost) : .certain(.invalidResponse)
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive: self = .certain(.offline)
    case .cannotFindHost, .dnsLookupFailed: self = .noName
    // Somebody has answered, and be it with a refusal: there is a path to it, whatever others say.
    case .cannotConnectToHost: self = .certain(.cannotConnect)
    case .timedOut: self = .silence
    case .networkConnectionLost, .requestBodyStreamExhausted, .downloadDecodingFailedMidStream:
      self = .certain(.connectionLost)
    case .cancelled: self = .certain(.cancelled)
    default: self = .certain(Self.reasonWithoutPath(of: code))
    }
  }

  private init(_ complaint: CurlComplaint) {
    self =
      switch complaint {
      case .noConnection: .noConnection
      case .brokenOff: .certain(.connectionLost)
      case .security: .certain(.insecure)
      case .answer: .certain(.invalidResponse)
      }
  }

  private static func reasonWithoutPath(of code: URLError.Code) -> RequestFailure.Reason {
    switch code {
    case .badURL: .invalidRequest
    case .httpTooManyRedirects, .redirectToNonExistentLocation, .zeroByteResource, .cannotDecodeRawData,
      .cannotDecodeContentData, .cannotParseResponse, .dataLengthExceedsMaximum, .downloadDecodingFailedToComplete:
      .invalidResponse
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      .insecure
    case .userAuthenticationRequired, .userCancelledAuthentication: .authenticationRequired
    case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotCreateFile, .cannotOpenFile,
      .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile:
      .unusableFile
    default: .other
    }
  }
}

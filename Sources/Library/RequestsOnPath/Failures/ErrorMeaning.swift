internal import ConnectivityCore
internal import Foundation
internal import FoundationNetworking
internal import Resilience

/// The meaning of an error of a `URLSession` without knowledge of the path.
enum ErrorMeaning: Hashable, Sendable {
  /// The reason is the same on every path.
  case certain(RequestFailure.Reason)
  /// No connection could be made.
  case noConnection
  /// The name of the host could not be resolved.
  case noName
  /// No data came for a while.
  case silence
  /// The error can mean anything.
  case unexplained

  /// Whether the error comes before anything is sent.
  var isBeforeConnection: Bool {
    switch self {
    case .noConnection, .noName, .certain(.offline), .certain(.cannotConnect), .certain(.invalidRequest): true
    case .certain, .silence, .unexplained: false
    }
  }

  /// Whether the reason depends on the path.
  var dependsOnPath: Bool {
    if case .certain = self { false } else { true }
  }

  /// The meaning of an error. If it has no meaning itself, the errors below it decide.
  init(_ error: any Error) {
    self = .unexplained
    for link in ErrorChain(error) where !isExplained { self.init(link) }
  }

  /// Whether the error has a meaning.
  var isExplained: Bool {
    if case .unexplained = self { false } else { true }
  }

  /// The meaning of one error, without the errors below it.
  init(_ link: ErrorChain.Link) {
    if !link.isURLError {
      if link.error is CancellationError {
        self = .certain(.cancelled)
        return
      }
      if link.error is DecodingError {
        self = .certain(.invalidResponse)
        return
      }
    }
    switch link.domain {
    case NSURLErrorDomain:
      // Making a description of a code takes long, and only libcurl's words are looked at.
      let words = link.userInfo[NSLocalizedDescriptionKey] as? String
      let complaint = words.flatMap { CurlComplaint($0) }
      self = URLError.Code(rawValue: link.code).map { .init(code: $0, complaint: complaint) } ?? .unexplained
    case NSCocoaErrorDomain: self.init(cocoaCode: link.code)
    case NSPOSIXErrorDomain: self.init(errno: Int32(truncatingIfNeeded: link.code))
    default: self = .unexplained
    }
  }

  /// The meaning of an errno of a connection.
  init(errno: Int32) {
    switch ErrnoMeaning(errno) {
    case .noPath, .unreachableHost: self = .noConnection
    // A host has answered: there is a path to it.
    case .refused: self = .certain(.cannotConnect)
    case .brokenOff: self = .certain(.connectionLost)
    case .timedOut: self = .silence
    case .cancelled: self = .certain(.cancelled)
    case .exhausted, .notPermitted, .other: self = .unexplained
    }
  }

  /// The meaning of a code of Foundation, which has a range of codes for each of its parts.
  private init(cocoaCode code: Int) {
    switch code {
    // NSFileErrorMinimum...NSFileErrorMaximum
    case 0...1_023: self = .certain(.unusableFile)
    // NSUserCancelledError
    case 3_072: self = .certain(.cancelled)
    // NSPropertyListErrorMinimum...NSPropertyListErrorMaximum, of JSON too, and those of reading coders
    case 3_840...4_095, 4_864...4_865: self = .certain(.invalidResponse)
    default: self = .unexplained
    }
  }

  /// The meaning of a code, together with libcurl's own words.
  init(code: URLError.Code, complaint: CurlComplaint?) {
    switch code {
    case .unknown: self = complaint.map(Self.init) ?? .unexplained
    // These two codes have a meaning of their own, unless libcurl's words are more exact.
    case .unsupportedURL: self = complaint == .answer ? .certain(.invalidResponse) : .certain(.invalidRequest)
    case .badServerResponse: self = complaint == .brokenOff ? .certain(.connectionLost) : .certain(.invalidResponse)
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive: self = .certain(.offline)
    case .cannotFindHost, .dnsLookupFailed: self = .noName
    // A host has answered, even if only to refuse: there is a path to it, whatever the monitor reports.
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

internal import Foundation

extension ErrorCategory {
  /// The category of an error itself, without its causes, by its type, or by its domain and code as an `NSError`; `nil`
  /// when it has none.
  static func ofFoundation(_ error: any Error) -> ErrorCategory? {
    switch error {
    case is CancellationError: return .cancelled
    case is DecodingError: return .needsUpdate
    // To make an NSError of any error takes a microsecond.
    case let error as URLError: return ErrorCategory(urlErrorCode: error.errorCode)
    default:
      let error = error as NSError
      return switch error.domain {
      case NSPOSIXErrorDomain: ErrorCategory(errno: Int32(truncatingIfNeeded: error.code))
      case NSURLErrorDomain: ErrorCategory(urlErrorCode: error.code)
      case NSCocoaErrorDomain: ErrorCategory(cocoaCode: error.code)
      default: nil
      }
    }
  }

  /// The category of an errno of a connection; `nil` for one that no connection has.
  private init?(errno: Int32) {
    switch errno {
    case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .offline
    case EHOSTUNREACH, EHOSTDOWN, ECONNREFUSED, ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ENETRESET, ESHUTDOWN,
      ETIMEDOUT, EMFILE, ENFILE, EAGAIN, EBUSY, EINTR, ENOBUFS, ENOMEM:
      self = .retryable
    case EACCES, EPERM: self = .nonRetryable
    case ECANCELED: self = .cancelled
    default:
      #if os(Linux)
        if errno == ENONET {
          self = .offline
          return
        }
      #endif
      return nil
    }
  }

  /// The category of a code of `URLError`; `nil` for one that says nothing. Numbers, because `URLError` on Linux does
  /// not name all of them.
  private init?(urlErrorCode code: Int) {
    switch code {
    // No network, no roaming, a telephone call in its place, no data on this network.
    case -1_009, -1_018, -1_019, -1_020: self = .offline
    // Most failures on Linux, time limits, names, refused and broken connections, resources that are not there now.
    case -1, -1_001, -1_006...(-1_003), -1_008, -1_011, -1_014, -1_021, -997, -2_000, -3_006: self = .retryable
    // A URL that is malformed or of another scheme, TLS and certificates, files.
    case -1_000, -1_002, -1_022, -1_205...(-1_200), -1_102...(-1_100), -1_104, -3_005...(-3_000): self = .nonRetryable
    // Redirections, lengths, encodings and formats that are not as announced.
    case -1_007, -1_010, -1_017...(-1_015), -1_103, -3_007: self = .needsUpdate
    case -1_013, -1_206: self = .needsSignIn
    // The user has cancelled the authentication.
    case -999, -1_012: self = .cancelled
    default: return nil
    }
  }

  /// The category of a code of Foundation's Cocoa domain, which has a range for each of its parts; `nil` for one that
  /// says nothing.
  private init?(cocoaCode code: Int) {
    switch code {
    // Files.
    case 0...1_023: self = .nonRetryable
    // The user has cancelled.
    case 3_072: self = .cancelled
    // Property lists, JSON and other coders.
    case 3_840...4_095, 4_864...4_865: self = .needsUpdate
    default: return nil
    }
  }
}

extension Error {
  /// The error below, by `NSUnderlyingErrorKey`.
  var underlyingOfFoundation: (any Error)? {
    (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
  }
}

extension ErrorMatcher where Value == any Error {
  /// Errors with this domain, and with this code unless it is `nil`. An `NSError` never matches a type such as
  /// `URLError` on Linux; this matcher finds both.
  public static func nsError(domain: String, code: Int? = nil) -> Self {
    .matching { error in
      let error = error as NSError
      return error.domain == domain && (code == nil || error.code == code)
    }
  }
}

internal import Foundation

extension ErrorCategory {
  /// The category of an error of Foundation; `nil` for any other, and for codes that say nothing.
  static func knownToFoundation(_ error: any Error) -> ErrorCategory? {
    let error = error as NSError
    switch error.domain {
    case NSURLErrorDomain: return URLErrorCategories.table[error.code]?.category
    case NSPOSIXErrorDomain: return POSIXErrorCategories.table[Int32(truncatingIfNeeded: error.code)]
    case NSCocoaErrorDomain where error.code == CocoaError.userCancelled.rawValue: return .cancelled
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

/// The categories of errors of the system.
enum POSIXErrorCategories {
  static let table: [Int32: ErrorCategory] = [
    ENETDOWN: .offline, ENETUNREACH: .offline,
    EAGAIN: .retryable, EBUSY: .retryable, EINTR: .retryable, ETIMEDOUT: .retryable, ECONNREFUSED: .retryable,
    ECONNRESET: .retryable, ECONNABORTED: .retryable, EHOSTDOWN: .retryable, EHOSTUNREACH: .retryable,
    ENETRESET: .retryable, EPIPE: .retryable, ENOBUFS: .retryable, EMFILE: .retryable, ENFILE: .retryable,
    ECANCELED: .cancelled,
  ]
}

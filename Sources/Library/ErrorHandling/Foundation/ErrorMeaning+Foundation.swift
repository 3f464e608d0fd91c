internal import Foundation
package import SystemIO

extension ErrorMeaning {
  /// The meaning of an error itself, without its causes; `nil` when it has none.
  package init?(of error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case is DecodingError: self = .invalidAnswer
    // Nearly all errors of a session have this type. To make an NSError of any error takes a microsecond: this is for
    // the row `resilience-judge` of the benchmarks.
    case let error as URLError: self.init(urlErrorCode: error.errorCode)
    default:
      let error = error as NSError
      self.init(domain: error.domain, code: error.code)
    }
  }

  /// The meaning of an error, or of the first of its causes that has one.
  package init?(amongCausesOf error: any Error) {
    for cause in ErrorCauses(of: error) {
      guard let meaning = Self(of: cause) else { continue }
      self = meaning
      return
    }
    return nil
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

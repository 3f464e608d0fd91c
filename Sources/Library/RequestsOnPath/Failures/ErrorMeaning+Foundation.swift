internal import ErrorHandling
internal import Foundation
internal import SystemIO

extension ErrorMeaning {
  /// The meaning of an error itself, without its causes; `nil` when it has none.
  init?(of error: any Error) {
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
  init?(amongCausesOf error: any Error) {
    for cause in ErrorCauses(of: error) {
      guard let meaning = Self(of: cause) else { continue }
      self = meaning
      return
    }
    return nil
  }
}

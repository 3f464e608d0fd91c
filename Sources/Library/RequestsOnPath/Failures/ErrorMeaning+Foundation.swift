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
    case let error as URLError: self.init(urlErrorCode: error.errorCode, error.userInfo)
    default:
      let error = error as NSError
      guard error.domain == NSURLErrorDomain else {
        self.init(domain: error.domain, code: error.code)
        return
      }
      self.init(urlErrorCode: error.code, error.userInfo)
    }
  }

  /// The meaning of a code of `URLError` with the words of libcurl, which say whether connect(2) has failed.
  ///
  /// Foundation on Linux (Swift 6.3) makes -1004 of every failure whose errno is `ECONNREFUSED`. libcurl keeps that
  /// errno of the first address that has refused, although another one was connected to and the request was executed.
  /// A host that no router reaches is -1, like most failures.
  private init?(urlErrorCode code: Int, _ information: @autoclosure () -> [String: Any]) {
    self.init(urlErrorCode: code)
    guard code == -1 || code == -1004, let words = information()[NSLocalizedDescriptionKey] as? String else { return }
    switch (code, words.hasPrefix("Failed to connect to ")) {
    case (-1, true): self = .unreachable
    case (-1004, false): self = .passing
    default: break
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

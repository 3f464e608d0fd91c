internal import Foundation

/// An error and the errors below it, by `NSUnderlyingErrorKey`, from the outermost in.
struct ErrorChain: Sequence, IteratorProtocol {
  /// The number of errors that are followed at most: a chain made by hand may lead back to itself.
  static let longest = 16

  private var error: (any Error)?
  private var count = 0

  init(_ error: any Error) {
    self.error = error
  }

  mutating func next() -> Link? {
    guard count < Self.longest, let link = error.map(Link.init) else { return nil }
    count += 1
    error = link.userInfo.isEmpty ? nil : link.userInfo[NSUnderlyingErrorKey] as? any Error
    return link
  }

  /// One error of a chain, and Foundation's description of it.
  struct Link {
    let error: any Error
    /// Whether the error is a `URLError`. It is then no other Swift type.
    let isURLError: Bool
    let domain: String
    let code: Int
    let userInfo: [String: Any]

    init(_ error: any Error) {
      self.error = error
      // Nearly all errors of a session have this type. To make an NSError of any error takes a microsecond: this is for
      // the row `resilience-judge` of the benchmarks.
      if let error = error as? URLError {
        (isURLError, domain, code, userInfo) = (true, NSURLErrorDomain, error.errorCode, error.userInfo)
      } else {
        let error = error as NSError
        (isURLError, domain, code, userInfo) = (false, error.domain, error.code, error.userInfo)
      }
    }
  }
}

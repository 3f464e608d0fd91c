import Foundation
import SystemIO
import Testing

@testable import ErrorHandling

@Suite("Categories")
struct CategoryTests {
  @Test func `an error that declares its category has it`() {
    #expect(ErrorCategory(of: Categorized(category: .needsSignIn)) == .needsSignIn)
    #expect(ErrorCategory(of: Categorized(category: .init("full"))) == .init("full", isRetryable: false))
  }

  @Test func `an unknown error is not retryable`() {
    #expect(ErrorCategory(of: DiskFull()) == .nonRetryable)
    #expect(ErrorCategory(of: NSError(domain: "unknown", code: 1)) == .nonRetryable)
    #expect(!ErrorCategory(of: DiskFull()).isRetryable)
  }

  @Test func `an error without a category has that of its cause, with or without options`() {
    let cause = Categorized(category: .offline)
    #expect(ErrorCategory(of: Wrapped(cause: cause)) == .offline)
    #expect(ErrorCategory(of: Wrapped(cause: cause.recoverable([.cancel])).recoverable([.cancel])) == .offline)
    #expect(ErrorCategory(of: NSError(domain: "outer", code: 1, userInfo: [NSUnderlyingErrorKey: cause])) == .offline)
  }

  @Test func `errors of the standard library have fixed categories`() {
    #expect(ErrorCategory(of: CancellationError()) == .cancelled)
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode([String].self, from: Data("{}".utf8)) }
    #expect(error.map { ErrorCategory(of: $0) } == .needsUpdate)
  }

  @Test(
    "errors of the system have fixed categories",
    arguments: [
      (POSIXErrorCode.ENETUNREACH, ErrorCategory.offline), (.ECONNREFUSED, .retryable), (.EAGAIN, .retryable),
      (.ECANCELED, .cancelled), (.EACCES, .nonRetryable),
    ])
  func posix(code: POSIXErrorCode, category: ErrorCategory) {
    #expect(ErrorCategory(of: POSIXError(code)) == category)
    #expect(ErrorCategory(of: NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))) == category)
  }

  @Test(
    "files and answers that cannot be read have fixed categories",
    arguments: [(4, ErrorCategory.nonRetryable), (640, .nonRetryable), (3_072, .cancelled), (3_840, .needsUpdate)])
  func cocoa(code: Int, category: ErrorCategory) {
    #expect(ErrorCategory.known(of: NSError(domain: NSCocoaErrorDomain, code: code)) == category)
  }

  /// `ErrorHandling` has a table of its own, because it belongs to no platform.
  @Test func `the categories agree with the meanings that decide about retries`() {
    func category(_ meaning: ErrorMeaning?) -> ErrorCategory? {
      switch meaning {
      case .offline, .noRoute: .offline
      case .unreachable, .noName, .refused, .brokenOff, .timedOut, .exhausted, .passing: .retryable
      case .notPermitted, .insecure, .invalidRequest, .unsupportedScheme, .unusableFile: .nonRetryable
      case .authenticationRequired: .needsSignIn
      case .invalidAnswer: .needsUpdate
      case .cancelled: .cancelled
      case nil: nil
      }
    }
    for (domain, codes) in [
      (NSPOSIXErrorDomain, 0...200), (NSURLErrorDomain, -5_000...0), (NSCocoaErrorDomain, 0...6_000),
      ("other", 0...200),
    ] {
      for code in codes {
        let known = ErrorCategory.known(of: NSError(domain: domain, code: code))
        if known != category(ErrorMeaning(domain: domain, code: code)) { Issue.record("\(domain) \(code)") }
      }
    }
  }

  @Test func `every code of URLError has a category, but those of background sessions`() {
    let unknown = (-4_000...0).compactMap { URLError.Code(rawValue: $0) }.filter {
      ErrorCategory.known(of: URLError($0)) == nil
    }
    #expect(unknown == [.backgroundSessionInUseByAnotherProcess, .backgroundSessionRequiresSharedContainer])
    let code = URLError.Code.timedOut
    #expect(
      ErrorCategory(of: NSError(domain: NSURLErrorDomain, code: code.rawValue)) == ErrorCategory(of: URLError(code)))
  }

  @Test(
    "the codes that decide which options a user gets",
    arguments: [
      (URLError.Code.notConnectedToInternet, ErrorCategory.offline), (.timedOut, .retryable), (.unknown, .retryable),
      (.cannotFindHost, .retryable), (.badURL, .nonRetryable), (.cancelled, .cancelled),
      (.userAuthenticationRequired, .needsSignIn), (.cannotParseResponse, .needsUpdate),
      (.serverCertificateUntrusted, .nonRetryable),
    ])
  func decidingCodes(code: URLError.Code, category: ErrorCategory) {
    #expect(ErrorCategory(of: URLError(code)) == category)
  }
}

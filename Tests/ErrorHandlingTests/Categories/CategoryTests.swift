import Foundation
import Testing

@testable import ErrorHandling

@Suite("Categories")
struct CategoryTests {
  private struct Empty: Decodable { let key: String }

  @Test func `an error that declares its category has it`() {
    #expect(ErrorCategory(of: Categorized(category: .needsSignIn)) == .needsSignIn)
    #expect(ErrorCategory(of: Categorized(category: ErrorCategory("quota exceeded"))).name == "quota exceeded")
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
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Empty.self, from: Data("{}".utf8)) }
    do {
      _ = try JSONDecoder().decode(Empty.self, from: Data("{}".utf8))
    } catch {
      #expect(ErrorCategory(of: error) == .needsUpdate)
    }
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

  /// Every code that `URLError` of Foundation names.
  private static let codes: [URLError.Code] = [
    .unknown, .cancelled, .badURL, .timedOut, .unsupportedURL, .cannotFindHost, .cannotConnectToHost,
    .networkConnectionLost, .dnsLookupFailed, .httpTooManyRedirects, .resourceUnavailable, .notConnectedToInternet,
    .redirectToNonExistentLocation, .badServerResponse, .userCancelledAuthentication, .userAuthenticationRequired,
    .zeroByteResource, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse,
    .internationalRoamingOff, .callIsActive, .dataNotAllowed, .requestBodyStreamExhausted, .fileDoesNotExist,
    .fileIsDirectory, .noPermissionsToReadFile, .secureConnectionFailed, .serverCertificateHasBadDate,
    .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    .clientCertificateRejected, .clientCertificateRequired, .cannotLoadFromNetwork, .cannotCreateFile, .cannotOpenFile,
    .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile, .downloadDecodingFailedMidStream,
    .downloadDecodingFailedToComplete, .backgroundSessionRequiresSharedContainer,
    .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected,
  ]

  @Test("every code of URLError has a category and a written reason", arguments: codes)
  func urlErrors(code: URLError.Code) throws {
    let row = try #require(URLErrorCategories.table[code.rawValue])
    #expect(!row.reason.isEmpty)
    #expect(ErrorCategory(of: URLError(code)) == row.category)
    #expect(ErrorCategory(of: NSError(domain: NSURLErrorDomain, code: code.rawValue)) == row.category)
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

import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// The rules by which an error and the path become a reason.
@Suite("Judging failures")
struct ClassificationTests {
  typealias Reason = RequestFailure.Reason

  private static let noDNS: NetworkPath = {
    var path = NetworkPath.online()
    path.supportsDNS = false
    return path
  }()

  private static let stale: NetworkPath = {
    var path = NetworkPath.offline
    path.knowledge = .stale
    return path
  }()

  /// A failure with the path before it and since.
  private static func judge(_ code: URLError.Code, _ before: NetworkPath, _ now: NetworkPath) -> RequestFailure {
    RequestFailure(judging: URLError(code), pathBefore: before, path: now)
  }

  private static let rows: [(URLError.Code, before: NetworkPath, now: NetworkPath, Reason, why: String)] = [
    (.unknown, .offline, .offline, .offline, "no route to an address is 'unknown', and offline by the path"),
    (.unknown, .unknown, .offline, .offline, "a path that was never known to be there has not been lost"),
    (.unknown, .online(), .offline, .connectionLost, "a path that has gone meanwhile was lost"),
    (.unknown, .unknown, .unknown, .other, "a path that is not known makes nothing offline"),
    (.unknown, .online(), stale, .other, "nor does a path that was offline once"),
    (.cannotFindHost, .offline, .offline, .offline, "no name is found without a path"),
    (.cannotFindHost, noDNS, noDNS, .offline, "no name is found without a name server"),
    (.cannotFindHost, .unknown, .unknown, .hostNotFound, "an unknown path has no known lack of name servers"),
    (.dnsLookupFailed, .online(), .offline, .offline, "the other code for names is one"),
    (.cannotConnectToHost, .offline, .offline, .cannotConnect, "who refuses is there: on a network of ours"),
    (.timedOut, .online(), .offline, .connectionLost, "silence since the path has gone is the path's"),
    (.timedOut, .unknown, .offline, .offline, "silence without a path that was ever known is offline"),
    (.timedOut, .online(), stale, .timedOut(.request), "a stale path explains nothing"),
    (.networkConnectionLost, .online(), .offline, .connectionLost, "a reset was sent by somebody"),
    (.unsupportedURL, .offline, .offline, .invalidRequest, "a bad URL is bad without a path, too"),
  ]

  @Test("an error and the path have one reason", arguments: rows)
  func judging(_ code: URLError.Code, before: NetworkPath, now: NetworkPath, _ reason: Reason, why: String) {
    let failure = Self.judge(code, before, now)
    #expect(failure.reason == reason && failure.path == now, "\(why)")
    #expect((failure.underlying as? URLError)?.code == code)
  }

  @Test(arguments: [("http", Reason.invalidResponse), ("HTTPS", .invalidResponse), ("gopher", .invalidRequest)])
  func `an answer that is no HTTP is no bad URL, although Foundation says so`(
    scheme: String, reason: RequestFailure.Reason
  ) throws {
    let url = try #require(URL(string: "\(scheme)://www.example.org/"))
    let failure = RequestFailure(judging: URLError(.unsupportedURL), url: url, path: .online())
    #expect(failure.reason == reason && !failure.isUnsent)
  }

  /// A path that is known to have a page to sign in.
  private static func portal(_ address: String?) -> NetworkPath {
    var path = NetworkPath.online()
    path.validation = PathValidation(state: .portal, portal: address)
    return path
  }

  @Test(arguments: [
    URLError.Code.timedOut, .cannotConnectToHost, .cannotFindHost, .networkConnectionLost, .badServerResponse,
    .serverCertificateUntrusted,
  ])
  func `what a network with a sign-in page brings about is that page, which no retry helps`(code: URLError.Code) {
    let page = URL(string: "https://portal.example/api")
    let failure = RequestFailure(judging: URLError(code), path: Self.portal("https://portal.example/api"))
    #expect(failure.reason == .captivePortal(page) && failure.failureTraits.kind == .permanent)
    #expect(failure.failureReason == "The network is known to ask for a sign-in.")
    #expect(RequestFailure(judging: URLError(code), path: Self.portal(nil)).reason == .captivePortal(nil))
  }

  @Test func `a sign-in page explains neither this machine, nor what has another meaning, nor a path of former times`()
  {
    func reason(_ code: URLError.Code, _ url: String? = nil, _ path: NetworkPath = Self.portal(nil)) -> Reason {
      RequestFailure(judging: URLError(code), url: url.flatMap { URL(string: $0) }, path: path).reason
    }
    #expect(reason(.timedOut, "http://127.0.0.1:8080/") == .timedOut(.request))
    #expect(reason(.cancelled) == .cancelled && reason(.userAuthenticationRequired) == .authenticationRequired)
    var stale = Self.portal(nil)
    stale.knowledge = .stale
    #expect(reason(.timedOut, nil, stale) == .timedOut(.request))
  }

  /// The codes of each reason on a satisfied path.
  private static let codes: [(Reason, [URLError.Code])] = [
    (.cancelled, [.cancelled, .userCancelledAuthentication]),
    (.offline, [.notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed]),
    (.timedOut(.request), [.timedOut]),
    (.hostNotFound, [.cannotFindHost, .dnsLookupFailed]),
    (.cannotConnect, [.cannotConnectToHost]),
    // A server that closes without an answer has sent a bad response, to Foundation.
    (.connectionLost, [.networkConnectionLost, .badServerResponse, .zeroByteResource]),
    (.connectionLost, [.downloadDecodingFailedMidStream, .requestBodyStreamExhausted]),
    (.invalidRequest, [.badURL, .unsupportedURL]),
    (.invalidResponse, [.httpTooManyRedirects, .redirectToNonExistentLocation, .cannotParseResponse]),
    (.invalidResponse, [.cannotDecodeRawData, .cannotDecodeContentData, .downloadDecodingFailedToComplete]),
    (.invalidResponse, [.dataLengthExceedsMaximum]),
    (.authenticationRequired, [.userAuthenticationRequired, .clientCertificateRequired]),
    (.insecure, [.secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted]),
    (.insecure, [.serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected]),
    (.insecure, [.appTransportSecurityRequiresSecureConnection]),
    // What is to be sent, and the file of a download.
    (.unusableFile, [.fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotCreateFile]),
    (.unusableFile, [.cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile]),
    (.other, [.unknown, .resourceUnavailable, .cannotLoadFromNetwork, .backgroundSessionWasDisconnected]),
    (.other, [.backgroundSessionRequiresSharedContainer, .backgroundSessionInUseByAnotherProcess]),
  ]

  @Test("each code of URLError has a reason on a satisfied path", arguments: codes)
  func code(_ reason: Reason, _ codes: [URLError.Code]) {
    for code in codes { #expect(Self.judge(code, .online(), .online()).reason == reason, "\(code)") }
  }

  @Test func `the table has every code that Foundation knows`() {
    let listed = Set(Self.codes.flatMap { $0.1 }.map(\.rawValue))
    let known = (-4_000...0).compactMap { URLError.Code(rawValue: $0)?.rawValue }
    #expect(known.count > 40 && listed.isSuperset(of: known), "\(Set(known).subtracting(listed))")
  }

  @Test func `an NSError of the same domain and code is judged as the URLError`() {
    let error = NSError(domain: NSURLErrorDomain, code: URLError.Code.cannotFindHost.rawValue)
    #expect(RequestFailure(judging: error, path: .offline).reason == .offline)
    #expect(RequestFailure(judging: error, path: .online()).reason == .hostNotFound)
    let unknown = NSError(domain: NSURLErrorDomain, code: -12_345)
    #expect(RequestFailure(judging: unknown, path: .online()).reason == .other)
  }

  @Test func `a cancelled task and a cancelled transfer are the same, and a failure is not classified twice`() {
    let errors: [any Error] = [CancellationError(), URLError(.cancelled), RequestFailure(.cancelled, path: .online())]
    for error in errors { #expect(RequestFailure(judging: error, path: .offline).reason == .cancelled) }
  }

  // MARK: Errors of other libraries

  /// An error as another library wraps it.
  private static func wrapped(_ error: any Error, times: Int = 1) -> any Error {
    (0..<times).reduce(error) { below, number in
      NSError(domain: "client", code: number, userInfo: [NSUnderlyingErrorKey: below])
    }
  }

  private struct Wrapper: CustomNSError {
    var below: any Error
    var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: below] }
  }

  @Test func `an error without a meaning of its own is classified by the ones below it`() {
    let timeout = URLError(.timedOut)
    for error in [Self.wrapped(timeout), Self.wrapped(timeout, times: 5), Wrapper(below: Wrapper(below: timeout))] {
      let failure = RequestFailure(judging: error, pathBefore: .online(), path: .online())
      #expect(failure.reason == .timedOut(.request))
      #expect(failure.underlying.map { type(of: $0) == type(of: error) } == true, "the error itself is kept")
      #expect(RequestFailure(judging: error, pathBefore: .online(), path: .offline).reason == .connectionLost)
    }
    #expect(RequestFailure(judging: Self.wrapped(CancellationError())).reason == .cancelled)
    #expect(RequestFailure(judging: Self.wrapped(URLError(.badURL)), path: .online()).isUnsent)
    #expect(RequestFailure(judging: Self.wrapped(RequestFailure(.insecure))).reason == .insecure)
  }

  @Test func `an error with a meaning of its own is not classified by the one below it`() {
    let below = [NSUnderlyingErrorKey: URLError(.timedOut)]
    let error = NSError(domain: NSURLErrorDomain, code: URLError.Code.cannotFindHost.rawValue, userInfo: below)
    #expect(RequestFailure(judging: error, path: .online()).reason == .hostNotFound)
  }

  /// An error that has itself as its underlying error.
  private final class Circle: NSError, @unchecked Sendable {
    override var userInfo: [String: Any] { [NSUnderlyingErrorKey: self] }
  }

  @Test func `an endless chain of errors has no known reason`() {
    #expect(RequestFailure(judging: Circle(domain: "circle", code: 1), path: .online()).reason == .other)
    #expect(RequestFailure(judging: Self.wrapped(URLError(.timedOut), times: 100), path: .online()).reason == .other)
  }

  private struct Post: Decodable {
    var title: String
  }

  @Test(arguments: ["", "{", "[]", #"{"title":1}"#, #"{"other":""}"#, #"{"title":null}"#])
  func `an answer that cannot be decoded is an invalid response`(text: String) throws {
    let data = Data(text.utf8)
    let error = try #require(throws: (any Error).self) { try JSONDecoder().decode(Post.self, from: data) }
    for error in [error, error as NSError, Self.wrapped(error)] {
      for path in [NetworkPath.online(), .offline, .unknown] {
        #expect(RequestFailure(judging: error, path: path).reason == .invalidResponse, "\(error)")
      }
    }
    let other = try #require(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data("{".utf8)) }
    #expect(RequestFailure(judging: other).reason == .invalidResponse, "\(other)")
  }

  @Test func `only errors of files make a file unusable`() throws {
    let missing = URL(fileURLWithPath: "/nonexistent/file")
    let error = try #require(throws: (any Error).self) { try Data(contentsOf: missing) }
    #expect(RequestFailure(judging: error).reason == .unusableFile, "\(error)")
    for (code, reason) in [
      (4, Reason.unusableFile), (260, .unusableFile), (513, .unusableFile), (640, .unusableFile), (3_072, .cancelled),
      (2_048, .other), (4_865, .invalidResponse), (4_866, .other), (-1, .other),
    ] {
      let error = NSError(domain: NSCocoaErrorDomain, code: code)
      #expect(RequestFailure(judging: error, path: .online()).reason == reason, "\(code)")
    }
  }

  @Test func `an unknown error can have any reason`() {
    struct Problem: Error {}
    let value = EncodingError.invalidValue(1, EncodingError.Context(codingPath: [], debugDescription: ""))
    for error in [Problem(), value] as [any Error] {
      #expect(RequestFailure(judging: error, path: .online()).reason == .other)
    }
  }

  private static let failedToConnect =
    "Failed to connect to host.example port 80 after 3052 ms: Couldn't connect to server"

  @Test(
    "the errno of an address that has refused explains only a failed connection",
    arguments: [
      (URLError.Code.cannotConnectToHost, failedToConnect, Reason.cannotConnect, "all addresses refuse"),
      (.cannotConnectToHost, "Empty reply from server", .other, "one address refused, and another has executed it"),
      (.cannotConnectToHost, "transfer closed with 97 bytes remaining to read", .other, "it has even answered"),
      (.unknown, failedToConnect, .cannotConnect, "no router reaches the host"),
      (.unknown, "SSL: certificate subject name does not match", .other, "any other failure is unknown"),
    ])
  func words(_ code: URLError.Code, _ words: String, _ reason: RequestFailure.Reason, why: String) {
    let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: words])
    for error in [error, error as NSError, Self.wrapped(error)] as [any Error] {
      let failure = RequestFailure(judging: error, path: .online())
      #expect(failure.reason == reason && !failure.isUnsent, "\(why)")
    }
    #expect(FailureTraits(of: error).isAnswer == (code == .cannotConnectToHost && reason == .cannotConnect), "\(why)")
  }

  @Test func `an address whose router is silent has an advice, and is offline without a path`() {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: Self.failedToConnect])
    let url = URL(string: "http://192.0.2.7/")
    let failure = RequestFailure(judging: error, url: url, path: .online())
    #expect(failure.localizedDescription == "The server \"192.0.2.7\" cannot be reached.")
    #expect(failure.recoverySuggestion == "Try again later.")
    #expect(RequestFailure(judging: error, pathBefore: .online(), path: .offline).reason == .offline)
  }

  @Test(
    "only a request that cannot be made is surely unsent by its error: a redirection may come before any other",
    arguments: [
      (URLError.Code.cannotFindHost, false), (.cannotConnectToHost, false), (.badURL, true), (.timedOut, false),
      (.networkConnectionLost, false), (.unknown, false), (.badServerResponse, false), (.cancelled, false),
    ])
  func unsent(_ code: URLError.Code, _ isUnsent: Bool) {
    #expect(RequestFailure(judging: URLError(code), path: .offline).isUnsent == isUnsent)
  }
}

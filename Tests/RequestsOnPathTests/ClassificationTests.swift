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

  /// A measurement: an error, the path before and after it, and the reason with its explanation.
  struct Row: Sendable, CustomTestStringConvertible {
    var code: URLError.Code
    var before: NetworkPath
    var now: NetworkPath
    var reason: RequestFailure.Reason
    var why: String

    init(
      _ code: URLError.Code, _ before: NetworkPath, _ now: NetworkPath, _ reason: RequestFailure.Reason, _ why: String
    ) {
      (self.code, self.before, self.now, self.reason, self.why) = (code, before, now, reason, why)
    }

    var testDescription: String { why }
  }

  private static let rows: [Row] = [
    Row(.unknown, .offline, .offline, .offline, "no route to an address is 'unknown', and offline by the path"),
    Row(.unknown, .unknown, .offline, .offline, "a path that was never known to be there has not been lost"),
    Row(.unknown, .online(), .offline, .connectionLost, "a path that has gone meanwhile was lost"),
    Row(.unknown, .online(), .online(), .other, "an error without an explanation has none"),
    Row(.unknown, .unknown, .unknown, .other, "a path that is not known makes nothing offline"),
    Row(.unknown, .online(), stale, .other, "nor does a path that was offline once"),
    Row(.cannotFindHost, .offline, .offline, .offline, "no name is found without a path"),
    Row(.cannotFindHost, noDNS, noDNS, .offline, "no name is found without a name server"),
    Row(.cannotFindHost, .online(), .online(), .hostNotFound, "with a path and a name server, the name is wrong"),
    Row(.cannotFindHost, .unknown, .unknown, .hostNotFound, "an unknown path has no known lack of name servers"),
    Row(.dnsLookupFailed, .online(), .offline, .offline, "the other code for names is one"),
    Row(.cannotConnectToHost, .offline, .offline, .cannotConnect, "who refuses is there: on a network of ours"),
    Row(.timedOut, .online(), .online(), .timedOut(.request), "silence on a path is the server's"),
    Row(.timedOut, .online(), .offline, .connectionLost, "silence since the path has gone is the path's"),
    Row(.timedOut, .unknown, .offline, .offline, "silence without a path that was ever known is offline"),
    Row(.timedOut, .online(), stale, .timedOut(.request), "a stale path explains nothing"),
    Row(.networkConnectionLost, .online(), .online(), .connectionLost, "a reset is one on any path"),
    Row(.networkConnectionLost, .online(), .offline, .connectionLost, "a reset was sent by somebody"),
    Row(.badServerResponse, .online(), .online(), .connectionLost, "to Foundation it is no answer at all"),
    Row(.unsupportedURL, .offline, .offline, .invalidRequest, "a bad URL is bad without a path, too"),
    Row(.badURL, .online(), .online(), .invalidRequest, "as an IPv6 address in a URL is to Foundation 6.3"),
  ]

  @Test("an error and the path have one reason", arguments: rows)
  func judging(_ row: Row) {
    let failure = RequestFailure(judging: URLError(row.code), pathBefore: row.before, path: row.now)
    #expect(failure.reason == row.reason, "\(row.why)")
    #expect(failure.path == row.now)
    #expect((failure.underlying as? URLError)?.code == row.code)
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
    let local = URL(string: "http://127.0.0.1:8080/")
    #expect(
      RequestFailure(judging: URLError(.timedOut), url: local, path: Self.portal(nil)).reason == .timedOut(.request))
    #expect(RequestFailure(judging: URLError(.cancelled), path: Self.portal(nil)).reason == .cancelled)
    #expect(
      RequestFailure(judging: URLError(.userAuthenticationRequired), path: Self.portal(nil)).reason
        == .authenticationRequired)
    var stale = Self.portal(nil)
    stale.knowledge = .stale
    #expect(RequestFailure(judging: URLError(.timedOut), path: stale).reason == .timedOut(.request))
  }

  /// The reason for each code on a satisfied path.
  private static let codes: [(URLError.Code, RequestFailure.Reason, why: String)] = [
    (.unknown, .other, "it says nothing"),
    (.cancelled, .cancelled, "somebody has cancelled the transfer"),
    (.badURL, .invalidRequest, "the URL cannot be read"),
    (.timedOut, .timedOut(.request), "nothing came"),
    (.unsupportedURL, .invalidRequest, "the scheme is not supported"),
    (.cannotFindHost, .hostNotFound, "the resolver says no"),
    (.cannotConnectToHost, .cannotConnect, "the host refuses"),
    (.networkConnectionLost, .connectionLost, "the connection was reset"),
    (.dnsLookupFailed, .hostNotFound, "the resolver says no"),
    (.httpTooManyRedirects, .invalidResponse, "the server sends us round"),
    (.resourceUnavailable, .other, "it cannot be had for some reason"),
    (.notConnectedToInternet, .offline, "who says so knows"),
    (.redirectToNonExistentLocation, .invalidResponse, "the server sends us nowhere"),
    (.badServerResponse, .connectionLost, "the server has closed without an answer"),
    (.userCancelledAuthentication, .cancelled, "the user did not want to authenticate"),
    (.userAuthenticationRequired, .authenticationRequired, "the user must authenticate"),
    (.zeroByteResource, .connectionLost, "the answer is empty and should not be"),
    (.cannotDecodeRawData, .invalidResponse, "the encoding is wrong"),
    (.cannotDecodeContentData, .invalidResponse, "the encoding is wrong"),
    (.cannotParseResponse, .invalidResponse, "the answer is no HTTP"),
    (.fileDoesNotExist, .unusableFile, "what is to be sent is not there"),
    (.fileIsDirectory, .unusableFile, "what is to be sent is a folder"),
    (.noPermissionsToReadFile, .unusableFile, "what is to be sent may not be read"),
    (.dataLengthExceedsMaximum, .invalidResponse, "the answer is too long"),
    (.secureConnectionFailed, .insecure, "TLS has failed"),
    (.serverCertificateHasBadDate, .insecure, "the certificate is over"),
    (.serverCertificateUntrusted, .insecure, "nobody vouches for the certificate"),
    (.serverCertificateHasUnknownRoot, .insecure, "nobody known vouches for the certificate"),
    (.serverCertificateNotYetValid, .insecure, "the certificate is not valid yet"),
    (.clientCertificateRejected, .insecure, "our certificate is not wanted"),
    (.clientCertificateRequired, .authenticationRequired, "we have no certificate"),
    (.appTransportSecurityRequiresSecureConnection, .insecure, "the program may not go without TLS"),
    (.cannotLoadFromNetwork, .other, "the cache alone may answer, and has nothing"),
    (.cannotCreateFile, .unusableFile, "the file of a download"),
    (.cannotOpenFile, .unusableFile, "the file of a download"),
    (.cannotCloseFile, .unusableFile, "the file of a download"),
    (.cannotWriteToFile, .unusableFile, "the disk is full"),
    (.cannotRemoveFile, .unusableFile, "the file of a download"),
    (.cannotMoveFile, .unusableFile, "the file of a download"),
    (.downloadDecodingFailedMidStream, .connectionLost, "the encoding stops in the middle"),
    (.downloadDecodingFailedToComplete, .invalidResponse, "the encoding is wrong at its end"),
    (.internationalRoamingOff, .offline, "the device may not use the network that is there"),
    (.callIsActive, .offline, "the network is taken by a call"),
    (.dataNotAllowed, .offline, "the network may not be used for data"),
    (.requestBodyStreamExhausted, .connectionLost, "the body cannot be sent again on a new connection"),
    (.backgroundSessionRequiresSharedContainer, .other, "no such sessions exist here"),
    (.backgroundSessionInUseByAnotherProcess, .other, "no such sessions exist here"),
    (.backgroundSessionWasDisconnected, .other, "no such sessions exist here"),
  ]

  @Test("each code of URLError has a reason on a satisfied path", arguments: codes)
  func code(_ code: URLError.Code, _ reason: RequestFailure.Reason, why: String) {
    let failure = RequestFailure(judging: URLError(code), pathBefore: .online(), path: .online())
    #expect(failure.reason == reason, "\(why)")
  }

  @Test func `the table has every code that Foundation knows`() {
    let listed = Set(Self.codes.map { $0.0.rawValue })
    let known = (-4_000...0).compactMap { URLError.Code(rawValue: $0)?.rawValue }
    #expect(known.count > 40)
    for code in known { #expect(listed.contains(code), "\(code) is not in the table") }
  }

  @Test func `an NSError of the same domain and code is judged as the URLError`() {
    let error = NSError(domain: NSURLErrorDomain, code: URLError.Code.cannotFindHost.rawValue)
    #expect(RequestFailure(judging: error, path: .offline).reason == .offline)
    #expect(RequestFailure(judging: error, path: .online()).reason == .hostNotFound)
    let unknown = NSError(domain: NSURLErrorDomain, code: -12_345)
    #expect(RequestFailure(judging: unknown, path: .online()).reason == .other)
  }

  @Test func `a cancelled task and a cancelled transfer are the same`() {
    #expect(RequestFailure(judging: CancellationError(), path: .offline).reason == .cancelled)
    #expect(RequestFailure(judging: URLError(.cancelled), path: .offline).reason == .cancelled)
  }

  @Test func `a failure is not classified twice`() {
    let failure = RequestFailure(.insecure, path: .online())
    #expect(RequestFailure(judging: failure, path: .offline).reason == .insecure)
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
  func `an answer that cannot be decoded is an invalid response`(text: String) {
    let error = #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Post.self, from: Data(text.utf8))
    }
    guard let error else { return }
    for error in [error, error as NSError, Self.wrapped(error)] {
      for path in [NetworkPath.online(), .offline, .unknown] {
        #expect(RequestFailure(judging: error, path: path).reason == .invalidResponse, "\(error)")
      }
    }
  }

  @Test func `data that JSONSerialization cannot read is an invalid response`() {
    let error = #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data("{".utf8)) }
    if let error { #expect(RequestFailure(judging: error).reason == .invalidResponse, "\(error)") }
  }

  @Test func `only errors of files make a file unusable`() {
    let error = #expect(throws: (any Error).self) { try Data(contentsOf: URL(fileURLWithPath: "/nonexistent/file")) }
    if let error { #expect(RequestFailure(judging: error).reason == .unusableFile, "\(error)") }
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

  /// An error of a session, with the words of libcurl.
  private static func error(_ code: URLError.Code, _ words: String) -> URLError {
    URLError(code, userInfo: [NSLocalizedDescriptionKey: words])
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
    let error = Self.error(code, words)
    for error in [error, error as NSError, Self.wrapped(error)] as [any Error] {
      let failure = RequestFailure(judging: error, path: .online())
      #expect(failure.reason == reason && !failure.isUnsent, "\(why)")
    }
    #expect(FailureTraits(of: error).isAnswer == (code == .cannotConnectToHost && reason == .cannotConnect), "\(why)")
  }

  @Test func `an address whose router is silent has an advice, and is offline without a path`() {
    let error = Self.error(.unknown, Self.failedToConnect)
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

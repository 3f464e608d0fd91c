import PathModel
import Testing

@testable import Validation

/// The facts that the tests of others hold, as rows: the replies of one round, their verdict, and ours. Their words are
/// translated: Chromium's `INTERNET_CONNECTED`, shill's `kInternetConnectivity` and Android's `VALID` are `validated`;
/// Chromium's `NO_RESPONSE`, shill's `kNoConnectivity` and Android's `INVALID` are `unanswered`.
enum OthersTables {
  /// The reply of a host.
  enum Reply: Sendable {
    case status(Int, body: String = "")
    case noName, noConnection, certificate, silence
  }

  /// A row, with the reason where our rule differs.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let replies: KeyValuePairs<ValidationHost, Reply>
    /// The text of the interface for the sign-in; `nil` where none is asked.
    var announced: String?
    let theirs: PathValidation.State
    let ours: PathValidation.State
    /// The page that is opened for the sign-in.
    let portal: String?
    let difference: String?
    var testDescription: String { name + (difference.map { " (other here: \($0))" } ?? "") }

    init(
      _ name: String, _ replies: KeyValuePairs<ValidationHost, Reply>, announced: String? = nil,
      _ theirs: PathValidation.State, here ours: PathValidation.State? = nil, portal: String? = nil,
      because difference: String? = nil
    ) {
      (self.name, self.replies, self.announced, self.theirs) = (name, replies, announced, theirs)
      (self.ours, self.portal, self.difference) = (ours ?? theirs, portal, difference)
    }
  }

  private static let http = RoundVerdictTests.http
  private static let https = RoundVerdictTests.https
  private static let other = RoundVerdictTests.other
  private static let otherHTTPS = RoundVerdictTests.otherHTTPS

  private static let plain = "anybody on the way can give the right answer by HTTP"
  private static let somebody = "a status, even a wrong one, proves that somebody answers"
  private static let length = "it is not the right answer, whatever its length"
  private static let noPage = "other content is a portal's doing, also if it names no page"
  private static let alone = "the right answer by HTTPS comes from the host alone"
  private static let proxy = "there, a proxy is in use, and the verdict is kept; here, proxies are those of the system"

  /// `components/captive_portal/core/captive_portal_detector_unittest.cc`.
  static let chromium = [
    Row("CaptivePortalResultCodes: 204", [http: .status(204)], .validated, here: .partial, because: plain),
    Row("CaptivePortalResultCodes: 500", [http: .status(500)], .unanswered, here: .partial, because: somebody),
    Row("CaptivePortalResultCodes: ERR_TIMED_OUT", [http: .silence], .unanswered),
    Row("CaptivePortalResultCodes: 200 with content", [http: .status(200, body: "hi")], .portal, portal: http.address),
    Row(
      "CaptivePortalResultCodes: 200 without content", [http: .status(200)], .validated, here: .portal,
      portal: http.address, because: length),
    Row("CaptivePortalResultCodes: 511", [http: .status(511)], .portal, portal: http.address),
    Row("CaptivePortalRetryAfterSeconds: 503", [http: .status(503)], .unanswered, here: .partial, because: somebody),
    Row("CaptivePortalRetryAfterSeconds: 204", [http: .status(204)], .validated, here: .partial, because: plain),
    Row("CaptivePortalRetryAfterDate", [http: .status(503)], .unanswered, here: .partial, because: somebody),
    Row("CaptivePortalRetryAfterInvalid", [http: .status(503)], .unanswered, here: .partial, because: somebody),
    Row("Cancel", [:], .unknown),
  ]

  /// `shill/network/portal_detector_test.cc`: a host by HTTPS and one by HTTP.
  static let shill = [
    Row("RequestSuccess", [https: .status(204), http: .status(204)], .validated),
    Row(
      "RequestHTTPFailureHTTPSSuccess", [http: .status(123), https: .status(204)], .unanswered, here: .validated,
      because: alone),
    Row(
      "RequestHTTPSuccessHTTPSFailure", [http: .status(204), https: .certificate], .unanswered, here: .partial,
      because: "HTTP answers rightly"),
    Row(
      "RequestFail", [http: .status(123), https: .noConnection], .unanswered, here: .partial, because: somebody),
    Row("RequestRedirect", [https: .noConnection, http: .status(302)], .portal, portal: http.address),
    Row("RequestTempRedirect", [https: .noConnection, http: .status(307)], .portal, portal: http.address),
    Row("RequestRedirectWithHTTPSProbeTimeout", [http: .status(302), https: .silence], .portal, portal: http.address),
    Row(
      "Request200AndInvalidContentLength", [http: .status(200), https: .noConnection], .unanswered, here: .portal,
      portal: http.address, because: length),
    Row("Request200WithoutContent", [http: .status(200), https: .status(204)], .validated),
    Row(
      "Request200WithContent", [http: .status(200, body: "a page"), https: .silence], .portal, portal: http.address),
    Row(
      "RequestInvalidRedirect", [http: .status(302), https: .certificate], .unanswered, here: .portal,
      portal: http.address, because: noPage),
    Row("HTTPOnlyRequestSuccess", [http: .status(204)], .validated, here: .partial, because: plain),
    Row("HTTPOnlyRequestRedirect", [http: .status(302)], .portal, portal: http.address),
    Row("HTTPOnlyRequestPortalSuspected", [http: .status(200, body: "a page")], .portal, portal: http.address),
    Row(
      "HTTPOnlyRequestInvalidRedirect", [http: .status(302)], .validated, here: .portal, portal: http.address,
      because: noPage),
    Row("HTTPOnlyRequestFailure", [http: .noConnection], .validated, here: .unanswered, because: proxy),
    Row("AttemptCount: kDNSFailure", [http: .noName, https: .noConnection], .unanswered),
    Row(
      "HTTPSTimeout", [http: .status(204), https: .silence], .unanswered, here: .partial,
      because: "HTTP answers rightly"),
    Row(
      "PartialConnectivity", [http: .status(204), https: .noConnection], .unanswered, here: .partial,
      because: "HTTP answers rightly"),
    Row("NoConnectivity", [http: .noConnection, https: .noConnection], .unanswered),
    Row("InternetConnectivity", [http: .status(204), https: .status(204)], .validated),
    Row(
      "PortalSuspected200", [http: .status(200, body: "a page"), https: .certificate], .portal, portal: http.address),
    Row("HTTPOnlyDNSFailure", [http: .noName], .validated, here: .unanswered, because: proxy),
  ]

  private static let free = #"{"captive": false, "venue-info-url": "https://venue.example/"}"#
  /// `NetworkMonitorTest.java`: a host by HTTPS, one by HTTP, and further ones in reserve, which are asked at once
  /// here.
  static let android = [
    Row("HttpProbeIsPortal", [https: .certificate, http: .status(302)], .portal, portal: http.address),
    Row(
      "Http200EmptyResponse", [https: .certificate, http: .status(200)], .unanswered, here: .portal,
      portal: http.address, because: length),
    Row(
      "HttpProbeIs200Portal", [https: .certificate, http: .status(200, body: "a page")], .portal,
      portal: http.address),
    Row("HttpsProbeIsNotPortal", [https: .status(204), http: .status(500)], .validated),
    Row(
      "FallbackProbeIsPortal", [https: .certificate, http: .status(500), other: .status(302)], .portal,
      portal: other.address),
    Row(
      "HttpSucceedFallbackProbeIsPortal", [https: .certificate, http: .status(204), other: .status(302)], .portal,
      here: .partial, portal: other.address,
      because: "another host has the right answer; the page that was seen can be opened all the same"),
    Row(
      "FallbackProbeIsNotPortal", [https: .certificate, http: .status(500), other: .status(500)], .unanswered,
      here: .partial, because: somebody),
    Row(
      "OtherFallbackProbeIsPortal", [https: .certificate, http: .status(500), other: .status(302)], .portal,
      portal: other.address),
    Row(
      "AllProbesFailed", [https: .certificate, http: .status(500), other: .status(404)], .unanswered, here: .partial,
      because: somebody),
    Row("IsPartialConnectivity", [https: .status(500), http: .status(204), other: .status(500)], .partial),
    Row(
      "OnlyFallbackSucceed", [https: .status(500), http: .status(500), other: .status(200, body: "ok\n")],
      .unanswered, here: .partial, because: "each host counts alike"),
    Row(
      "HttpsProbeMatchesFailRegex", [https: .status(200, body: "test"), http: .status(500)], .unanswered,
      here: .partial, because: "the certificate proves that the host itself answers"),
    Row("HttpProbeMatchesSuccessRegex", [https: .status(500), other: .status(200, body: "ok\n")], .partial),
    Row(
      "FallbackSpecIsFail",
      [
        https: .certificate, http: .status(500),
        ValidationHost(address: "http://c.example/", rightAnswer: .status(302)): .status(302),
      ],
      .unanswered, here: .partial, because: "the redirect that was configured is a right answer"),
    Row(
      "FallbackSpecIsPortal", [https: .certificate, http: .status(500), other: .status(302)], .portal,
      portal: other.address),
    Row(
      "MultipleProbesOnPortalNetwork",
      [https: .status(500), otherHTTPS: .status(500), http: .status(302), other: .status(500)], .portal,
      portal: http.address),
    Row(
      "MultipleProbesOnValidNetwork",
      [https: .status(500), otherHTTPS: .status(200, body: "ok\n"), http: .status(500), other: .status(500)],
      .validated),
    Row(
      "MultipleProbesOnInValidNetwork",
      [https: .status(500), otherHTTPS: .status(500), http: .status(500), other: .status(500)], .unanswered,
      here: .partial, because: somebody),
    Row(
      "CapportApiIsPortalWithNullPortalUrl", [https: .certificate, http: .status(302)],
      announced: #"{"captive": true, "bytes-remaining": 10000, "seconds-remaining": 500}"#, .portal,
      portal: http.address),
    Row(
      "CapportApiIsPortalWithValidPortalUrl", [:],
      announced: #"{"captive": true, "user-portal-url": "https://login.example/"}"#, .portal,
      portal: "https://login.example/"),
    Row(
      "CapportApiNotPortalNotValidated", [https: .certificate, http: .status(500)], announced: free, .unanswered,
      here: .partial, because: somebody),
    Row("CapportApiNotPortalPartial", [https: .certificate, http: .status(204)], announced: free, .partial),
    Row("CapportApiNotPortalValidated", [https: .status(204), http: .status(204)], announced: free, .validated),
    Row(
      "CapportApiInvalidContent", [https: .certificate, http: .status(302)], announced: "{SomeInvalidText", .portal,
      portal: http.address),
  ]
}

/// The rows of others.
@Suite("The tables of others")
struct OthersTablesTests {
  private func check(_ row: OthersTables.Row) {
    let verdict = row.verdict
    #expect(verdict.state == row.ours)
    #expect(verdict.portal == row.portal)
    #expect((row.theirs == row.ours) == (row.difference == nil), "a row says why it differs, if it does")
  }

  @Test("Chromium: captive_portal_detector_unittest.cc", arguments: OthersTables.chromium)
  func chromium(_ row: OthersTables.Row) { check(row) }

  @Test("shill: portal_detector_test.cc", arguments: OthersTables.shill)
  func shill(_ row: OthersTables.Row) { check(row) }

  @Test("Android: NetworkMonitorTest.java", arguments: OthersTables.android)
  func android(_ row: OthersTables.Row) { check(row) }

  @Test(
    "Android: HttpIsInvalidCapportApiScheme, FileIsInvalidCapportApiScheme, InvalidUrlFormat: it is not asked",
    arguments: ["http://capport.example.com", "file://localhost/myfile", "ThisIsNotAValidUrl"])
  func scheme(_ address: String) {
    var path = NetworkPath.unknown
    path.validation = PathValidation(announced: address)
    #expect(RequestRound([], over: path).isEmpty)
  }
}

extension OthersTables.Row {
  /// Our verdict on the round.
  fileprivate var verdict: PathValidation {
    PathValidation(
      replies.map { HostReply(host: $0, family: .ipv4, answer: WebAnswer(result: $1.result)) },
      announced: announced.map {
        WebAnswer(result: .success(.init(status: 200, mediaType: PortalAnswer.mediaType, body: Array($0.utf8))))
      })
  }
}

extension OthersTables.Reply {
  fileprivate var result: Result<WebAnswer.Content, WebAnswer.Failure> {
    switch self {
    case .status(let status, let body): .success(.init(status: status, body: Array(body.utf8)))
    case .noName: .failure(.noName)
    case .noConnection: .failure(.noConnection("unreachable"))
    case .certificate: .failure(.certificate("expired"))
    case .silence: .failure(.silence)
    }
  }
}

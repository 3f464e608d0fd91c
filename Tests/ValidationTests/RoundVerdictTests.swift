import PathModel
import Testing

@testable import Validation

/// The verdict on the replies of one round.
@Suite("The verdict of a round")
struct RoundVerdictTests {
  /// A reply in a row: the host, and what came.
  typealias Reply = (host: ValidationHost, answer: WebAnswer)

  static let http = ValidationHost(address: "http://a.example/204", rightAnswer: .status(204))
  static let https = ValidationHost(address: "https://a.example/204", rightAnswer: .status(204))
  static let other = ValidationHost(address: "http://b.example/ok", rightAnswer: .body(Array("ok\n".utf8)))
  static let otherHTTPS = ValidationHost(address: "https://b.example/ok", rightAnswer: .body(Array("ok\n".utf8)))

  /// A row: the replies by IPv4, and those by IPv6 if the path has it, with our verdict.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let ipv4: [Reply]
    var ipv6: [Reply] = []
    let state: PathValidation.State
    var portal: String?
    var testDescription: String { name }

    /// The verdict.
    var verdict: PathValidation {
      PathValidation(
        ipv4.map { HostReply(host: $0.host, family: .ipv4, answer: $0.answer) }
          + ipv6.map { HostReply(host: $0.host, family: .ipv6, answer: $0.answer) })
    }
  }

  private static func answer(_ host: ValidationHost, _ status: Int, _ body: String = "") -> Reply {
    (host, WebAnswer(result: .success(.init(status: status, body: Array(body.utf8)))))
  }

  private static func failure(_ host: ValidationHost, _ failure: WebAnswer.Failure) -> Reply {
    (host, WebAnswer(result: .failure(failure)))
  }

  private func check(_ row: Row) {
    #expect(row.verdict.state == row.state)
    #expect(row.verdict.portal == row.portal)
    #expect(row.verdict.evidence.count == row.ipv4.count + row.ipv6.count)
  }

  @Test(
    "Android: PrivateIpNotPortal, other here: a name that leads to a local address is a portal's doing",
    arguments: ["192.168.1.1", "10.0.0.1", "172.16.9.9", "100.64.0.1", "169.254.1.1", "fd12::1", "fec0:1234::1"])
  func androidPrivateAddress(_ address: String) {
    let resolved = IPAddress(address)
    for result in [Self.silence, .success(.init(status: 404)), .success(.init(status: 302, location: "http://a/"))] {
      #expect(
        PathValidation([
          HostReply(host: Self.http, family: .ipv4, answer: WebAnswer(result: result, resolved: resolved))
        ]).state == .portal)
    }
    let right = WebAnswer(result: .success(.init(status: 204)), resolved: resolved)
    #expect(PathValidation([HostReply(host: Self.https, family: .ipv4, answer: right)]).state == .validated)
  }

  @Test(arguments: [("https://portal.example/", true), ("http://127.0.0.1/", false), ("/sign-in", false)])
  func `where one family has a portal and the other answers, the page is the portal's own`(
    location: String, isTaken: Bool
  ) {
    let redirect = WebAnswer(result: .success(.init(status: 302, location: location)))
    let captive = [Self.http, Self.other].map { HostReply(host: $0, family: .ipv4, answer: redirect) }
    let right = WebAnswer(result: .success(.init(status: 204)))
    let open = HostReply(host: Self.https, family: .ipv6, answer: right)
    #expect(PathValidation(captive).portal == Self.http.address)
    let verdict = PathValidation(captive + [open])
    #expect(verdict.state == .partial && verdict.wantsSignIn)
    #expect(verdict.portal == (isTaken ? location : Self.http.address))
  }

  @Test(
    "a name that leads to this machine is blocked by a filter, and its answer says nothing",
    arguments: ["0.0.0.0", "::", "127.0.0.1", "127.8.9.10", "::1"])
  func blockedName(_ address: String) {
    for result in [Self.silence, .failure(.reset), .success(.init(status: 204)), .success(.init(status: 302))] {
      let blocked = WebAnswer(result: result, resolved: IPAddress(address))
      func state(_ others: Reply...) -> PathValidation {
        PathValidation(
          [HostReply(host: Self.http, family: .ipv4, answer: blocked)]
            + others.map { HostReply(host: $0.host, family: .ipv4, answer: $0.answer) })
      }
      #expect(state().state == .unknown && state().portal == nil)
      #expect(state().evidence.map(\.verdict) == [.unknown])
      #expect(state().evidence.allSatisfy { $0.text.contains("the name leads to \(IPAddress(address)!)") })
      #expect(state(Self.answer(Self.otherHTTPS, 200, "ok\n")).state == .validated)
      #expect(state(Self.answer(Self.other, 302), Self.failure(Self.otherHTTPS, .reset)).state == .portal)
      let named = ValidationHost(address: "http://127.0.0.1:8080/x", rightAnswer: .status(204))
      #expect(PathValidation([HostReply(host: named, family: .ipv4, answer: blocked)]).state != .unknown)
    }
  }

  @Test(
    "a public address and one that was configured are no portal's doing", arguments: ["192.0.2.7", "2001:db8::7"])
  func otherAddress(_ address: String) {
    let refused = WebAnswer(result: .failure(.noConnection("refused")), resolved: IPAddress(address))
    #expect(PathValidation([HostReply(host: Self.http, family: .ipv4, answer: refused)]).state == .unanswered)
    let named = ValidationHost(address: "http://192.168.1.1:8080/x", rightAnswer: .status(204))
    let silent = WebAnswer(result: Self.silence, resolved: IPAddress("192.168.1.1"))
    #expect(PathValidation([HostReply(host: named, family: .ipv4, answer: silent)]).state == .unanswered)
  }

  private static let fault = WebAnswer.Failure.certificate("expired")
  static let silence = Result<WebAnswer.Content, WebAnswer.Failure>.failure(.silence)

  static let oursRows = [
    Row(name: "one host blocked", ipv4: [answer(https, 204), failure(otherHTTPS, .reset)], state: .validated),
    Row(name: "both blocked", ipv4: [failure(https, .reset), failure(otherHTTPS, .reset)], state: .partial),
    Row(name: "only expired certificates", ipv4: [failure(https, fault), failure(otherHTTPS, fault)], state: .partial),
    Row(name: "HTTP only", ipv4: [answer(http, 204), failure(https, .silence)], state: .partial),
    Row(name: "HTTPS only", ipv4: [failure(http, .silence), answer(https, 204)], state: .validated),
    Row(name: "nobody is asked", ipv4: [], state: .unknown),
    Row(name: "the request fails here", ipv4: [failure(http, .failed("no memory"))], state: .unknown),
    Row(
      name: "a name without an IPv6 address says nothing about IPv6", ipv4: [answer(https, 204)],
      ipv6: [failure(https, .noName)], state: .validated),
    Row(
      name: "IPv6 dead and IPv4 behind a portal", ipv4: [answer(http, 302)], ipv6: [failure(http, .silence)],
      state: .portal, portal: http.address),
    Row(
      name: "a portal that lets one host through", ipv4: [answer(https, 204), answer(other, 302)], state: .partial,
      portal: other.address),
    Row(
      name: "the beginning of the body is not the body", ipv4: [answer(other, 200, "ok")], state: .portal,
      portal: other.address),
    Row(
      name: "other content by HTTPS is the host's own, because its certificate is right",
      ipv4: [answer(https, 302), answer(otherHTTPS, 200, "moved")], state: .partial),
    Row(
      name: "a host in trouble by HTTPS, too, is no portal",
      ipv4: [
        answer(http, 200, "Back soon"), answer(https, 503), failure(other, .silence), failure(otherHTTPS, .silence),
      ], state: .partial),
    Row(
      name: "a host in trouble beside an intercepted one",
      ipv4: [answer(http, 302), answer(https, 302), answer(other, 302), failure(otherHTTPS, .reset)],
      state: .portal, portal: other.address),
    Row(
      name: "all hosts are redirected, by HTTPS, too",
      ipv4: [answer(http, 302), answer(https, 302), answer(other, 302), answer(otherHTTPS, 302)], state: .portal,
      portal: http.address),
    Row(
      name: "a host that redirects to its own HTTPS",
      ipv4: [answer(http, 302), answer(https, 204), answer(other, 200, "ok\n"), answer(otherHTTPS, 200, "ok\n")],
      state: .validated),
    Row(
      name: "all hosts redirect to their own HTTPS",
      ipv4: [answer(http, 302), answer(https, 204), answer(other, 302), answer(otherHTTPS, 200, "ok\n")],
      state: .validated),
    Row(
      name: "a page that was touched on the way", ipv4: [answer(other, 200, "ok"), answer(otherHTTPS, 200, "ok\n")],
      state: .validated),
    Row(
      name: "a host's answer by IPv4 says nothing about its page by IPv6",
      ipv4: [answer(http, 204), answer(https, 204)], ipv6: [answer(http, 302), failure(https, .reset)],
      state: .partial, portal: http.address),
    Row(
      name: "one host alone has an IPv6 address, and is dead by IPv6",
      ipv4: [answer(https, 204), answer(otherHTTPS, 200, "ok\n")],
      ipv6: [failure(https, .silence), failure(otherHTTPS, .noName)], state: .validated),
    Row(
      name: "one host alone has an IPv6 address, and another answers there",
      ipv4: [failure(http, .silence), failure(otherHTTPS, .silence)],
      ipv6: [answer(http, 302), failure(otherHTTPS, .noName)], state: .unanswered),
    Row(
      name: "one host alone has an IPv6 address, and validates it",
      ipv4: [answer(http, 302), answer(other, 302)], ipv6: [answer(https, 204), failure(other, .noName)],
      state: .partial, portal: http.address),
    Row(name: "the right body is right", ipv4: [answer(otherHTTPS, 200, "ok\n")], state: .validated),
  ]

  @Test("our own rows", arguments: Self.oursRows) func ours(_ row: Row) { check(row) }

  @Test func `the network's own word is a portal with its page, and no word for the Internet`() {
    func announced(_ text: String, status: Int = 200, _ mediaType: String = PortalAnswer.mediaType) -> WebAnswer {
      WebAnswer(result: .success(.init(status: status, mediaType: mediaType, body: Array(text.utf8))), when: 7)
    }
    let captive = announced(#"{"captive": true, "user-portal-url": "https://portal.example/"}"#)
    let alone = PathValidation([], announced: captive)
    #expect(alone.state == .portal && alone.portal == "https://portal.example/")
    #expect(alone.evidence.map(\.source) == [.signIn] && alone.evidence.map(\.when) == [7])
    let right = WebAnswer(result: .success(.init(status: 204)))
    #expect(
      PathValidation([HostReply(host: Self.https, family: .ipv4, answer: right)], announced: captive).state == .partial)
    let open = PathValidation(
      [], announced: announced(#"{"captive": false, "seconds-remaining": 60, "venue-info-url": "https://a.example/"}"#))
    #expect(open.state == .unknown && open.evidence.map(\.verdict) == [.unknown])
    #expect(
      open.evidence.map(\.text) == ["the network lets traffic through for 60 s (about the place: https://a.example/)"])
    for wrong in [announced("{}"), announced("{}", status: 500), announced("{}", "text/html")] {
      let failed = PathValidation([], announced: wrong)
      #expect(failed.state == .unknown && failed.portal == nil && failed.evidence.count == 1)
    }
  }

  @Test(arguments: ["a", "\u{1B}[2J", "e\u{301}\u{301}", "\u{202E}", "😀"])
  func `text of others is shown escaped, and so short that the service takes it`(_ piece: String) {
    let text = String(repeating: piece, count: 10_000)
    let answers = [
      WebAnswer(result: .success(.init(status: 302, location: text))), WebAnswer(result: .failure(.certificate(text))),
      WebAnswer(result: .failure(.noConnection(text))),
    ]
    for answer in answers {
      for words in PathValidation([HostReply(host: Self.http, family: .ipv4, answer: answer)]).evidence.map(\.text) {
        #expect(words == words.inOneLine && words.utf8.count <= 1_024)
      }
    }
  }

  @Test func `a right answer by http alone is no reason of a partial verdict`() {
    let row = Row(
      name: "", ipv4: [Self.answer(Self.http, 204), Self.failure(Self.https, .reset)], state: .partial)
    #expect(row.verdict.state == .partial && row.verdict.evidence.map(\.verdict) == [.partial, .partial])
    #expect(row.verdict.reasons.map(\.text) == [row.verdict.evidence[1].text])
  }

  @Test(arguments: [
    ("http://A.example:80/x", "a.example"), ("https://b.example?q@x", "b.example"),
    ("http://[2001:db8::1]:8/", "2001:db8::1"),
    ("http://c.example", "c.example"), ("http://c.example./", "c.example"),
  ])
  func `the name of a host is between the scheme and the path`(_ row: (String, String)) {
    #expect(ValidationHost(address: row.0, rightAnswer: .status(204)).name == row.1)
  }
}

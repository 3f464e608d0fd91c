import PathModel
import Testing

@testable import Validation

/// The verdict on the replies of one round.
@Suite("The verdict of a round")
struct RoundVerdictTests {
  static let http = ValidationHost(address: "http://a.example/204", rightAnswer: .status(204))
  static let https = ValidationHost(address: "https://a.example/204", rightAnswer: .status(204))
  static let other = ValidationHost(address: "http://b.example/ok", rightAnswer: .body(Array("ok\n".utf8)))
  static let otherHTTPS = ValidationHost(address: "https://b.example/ok", rightAnswer: .body(Array("ok\n".utf8)))
  /// A host whose right answer is a redirect.
  private static let moved = ValidationHost(address: "http://c.example/", rightAnswer: .status(302))
  private static let hosts = ["http": http, "https": https, "other": other, "otherHTTPS": otherHTTPS, "moved": moved]
  private static let failures: [String: WebAnswer.Failure] = [
    "reset": .reset, "silence": .silence, "nameless": .noName, "expired": .certificate("expired"),
    "unreachable": .noConnection("unreachable"), "failed": .failed("no memory"),
    "unawaited": .unawaited,
  ]

  /// Replies in words such as `http 302, https reset`: `right`, a status, one with a body as `200:ok`, or a failure.
  private static func replies(
    _ words: String, by family: IPAddress.Family = .ipv4, resolved: IPAddress? = nil
  ) throws -> [HostReply] {
    try words.split(separator: ", ").map { words in
      let parts = words.split(separator: " ").map(String.init)
      let host = try #require(hosts[parts[0]])
      let word = parts.dropFirst().joined(separator: " ")
      var answer = WebAnswer(result: try failures[word].map { .failure($0) } ?? .success(content(word, of: host)))
      answer.resolved = resolved
      return HostReply(host: host, family: family, answer: answer)
    }
  }

  private static func content(_ word: String, of host: ValidationHost) throws -> WebAnswer.Content {
    switch (word, host.rightAnswer) {
    case ("right", .status(let status)): return .init(status: status)
    case ("right", .body(let body)): return .init(status: 200, body: body)
    default:
      let parts = word.split(separator: ":")
      return .init(status: try #require(Int(parts[0])), body: Array(parts.dropFirst().joined().utf8))
    }
  }

  /// A row: the rule, the replies by IPv4 and those by IPv6 after `/`, the verdict, and the host of the page.
  typealias Row = (rule: String, replies: String, state: PathValidation.State, page: ValidationHost?)

  static let rows: [Row] = [
    ("one host blocked", "https right, otherHTTPS reset", .validated, nil),
    ("both blocked", "https reset, otherHTTPS reset", .partial, nil),
    ("only expired certificates", "https expired, otherHTTPS expired", .partial, nil),
    ("HTTP only", "http right, https silence", .partial, nil),
    ("HTTP only, and HTTPS decrypted", "http right, https expired", .partial, nil),
    ("HTTPS only", "http silence, https right", .validated, nil),
    ("HTTPS only, and a status by HTTP that none has", "http 123, https right", .validated, nil),
    ("nobody is asked", "", .unknown, nil),
    ("the request fails here", "http failed", .unknown, nil),
    ("silence", "http silence", .unanswered, nil),
    ("answers that were not awaited say nothing", "http silence, other unawaited", .unanswered, nil),
    ("nor do those of all", "http unawaited, other unawaited", .unknown, nil),
    ("no names, and no connection", "http nameless, https unreachable", .unanswered, nil),
    ("an error by HTTP proves that somebody answers", "http 500", .partial, nil),
    ("a redirect, and no connection by HTTPS", "https unreachable, http 302", .portal, http),
    ("a redirect, and a wrong certificate", "https expired, http 307", .portal, http),
    ("a status that demands a sign-in", "http 511", .portal, http),
    ("no content in place of the right status", "http 200", .portal, http),
    ("one host in trouble, and another intercepted", "https expired, http 500, other 302", .portal, other),
    ("one host answers by HTTP, and another is intercepted", "https expired, http right, other 302", .partial, other),
    ("a redirect that was configured is right", "https expired, http 500, moved 302", .partial, nil),
    ("a name without an IPv6 address says nothing about IPv6", "https right / https nameless", .validated, nil),
    ("IPv6 dead and IPv4 behind a portal", "http 302 / http silence", .portal, http),
    ("a portal that lets one host through", "https right, other 302", .partial, other),
    ("the beginning of the body is not the body", "other 200:ok", .portal, other),
    ("other content by HTTPS is the host's own", "https 302, otherHTTPS 200:moved", .partial, nil),
    (
      "a host in trouble by HTTPS, too, is no portal",
      "http 200:Back soon, https 503, other silence, otherHTTPS silence", .partial, nil
    ),
    (
      "a host in trouble beside an intercepted one", "http 302, https 302, other 302, otherHTTPS reset", .portal, other
    ),
    ("all are redirected, by HTTPS, too", "http 302, https 302, other 302, otherHTTPS 302", .portal, http),
    (
      "a host that redirects to its own HTTPS", "http 302, https right, other right, otherHTTPS right", .validated, nil
    ),
    ("all redirect to their own HTTPS", "http 302, https right, other 302, otherHTTPS right", .validated, nil),
    ("a page that was touched on the way", "other 200:ok, otherHTTPS right", .validated, nil),
    (
      "a host's answer by IPv4 says nothing about its page by IPv6",
      "http right, https right / http 302, https reset", .partial, http
    ),
    (
      "one host alone has an IPv6 address, and is dead by IPv6",
      "https right, otherHTTPS right / https silence, otherHTTPS nameless", .validated, nil
    ),
    (
      "one host alone has an IPv6 address, and another answers there",
      "http silence, otherHTTPS silence / http 302, otherHTTPS nameless", .unanswered, nil
    ),
    (
      "one host alone has an IPv6 address, and validates it",
      "http 302, other 302 / https right, other nameless", .partial, http
    ),
    ("the right body is right", "otherHTTPS right", .validated, nil),
  ]

  @Test("the replies of a round have one verdict", arguments: rows)
  func verdict(_ row: Row) throws {
    let families = row.replies.split(separator: " / ")
    var replies = try Self.replies(families.first.map(String.init) ?? "")
    if families.count > 1 { replies += try Self.replies(String(families[1]), by: .ipv6) }
    let verdict = PathValidation(replies)
    #expect(verdict.state == row.state && verdict.portal == row.page?.address, "\(row.rule)")
    #expect(verdict.evidence.count == replies.count)
  }

  @Test(
    "a name that leads to a local address is a portal's doing, unless the host proves itself",
    arguments: ["192.168.1.1", "10.0.0.1", "172.16.9.9", "100.64.0.1", "169.254.1.1", "fd12::1", "fec0:1234::1"])
  func localAddress(_ address: String) throws {
    for (words, state) in [
      ("http silence", .portal), ("http 404", .portal), ("http 302", .portal), ("https right", .validated),
    ] as [(String, PathValidation.State)] {
      #expect(PathValidation(try Self.replies(words, resolved: IPAddress(address))).state == state, "\(words)")
    }
  }

  @Test(arguments: [("https://portal.example/", true), ("http://127.0.0.1/", false), ("/sign-in", false)])
  func `where one family has a portal and the other answers, the page is the portal's own`(
    location: String, isTaken: Bool
  ) throws {
    let redirect = WebAnswer(result: .success(.init(status: 302, location: location)))
    let captive = [Self.http, Self.other].map { HostReply(host: $0, family: .ipv4, answer: redirect) }
    #expect(PathValidation(captive).portal == Self.http.address)
    let verdict = PathValidation(captive + (try Self.replies("https right", by: .ipv6)))
    #expect(verdict.state == .partial && verdict.wantsSignIn)
    #expect(verdict.portal == (isTaken ? location : Self.http.address))
  }

  @Test(
    "a name that leads to this machine is blocked by a filter, and its answer says nothing",
    arguments: ["0.0.0.0", "::", "127.0.0.1", "127.8.9.10", "::1"],
    ["http silence", "http reset", "http right", "http 302"])
  func blockedName(_ address: String, _ words: String) throws {
    let resolved = try #require(IPAddress(address))
    let blocked = try Self.replies(words, resolved: resolved)
    let alone = PathValidation(blocked)
    #expect(alone.state == .unknown && alone.portal == nil && alone.evidence.map(\.verdict) == [.unknown])
    #expect(alone.evidence.allSatisfy { $0.text.contains("the name leads to \(resolved)") })
    #expect(PathValidation(blocked + (try Self.replies("otherHTTPS right"))).state == .validated)
    #expect(PathValidation(blocked + (try Self.replies("other 302, otherHTTPS reset"))).state == .portal)
    let named = ValidationHost(address: "http://127.0.0.1:8080/x", rightAnswer: .status(204))
    #expect(PathValidation([HostReply(host: named, family: .ipv4, answer: blocked[0].answer)]).state != .unknown)
  }

  @Test(
    "a public address and one that was configured are no portal's doing", arguments: ["192.0.2.7", "2001:db8::7"])
  func otherAddress(_ address: String) throws {
    #expect(
      PathValidation(try Self.replies("http unreachable", resolved: IPAddress(address))).state == .unanswered)
    let named = ValidationHost(address: "http://192.168.1.1:8080/x", rightAnswer: .status(204))
    let silent = WebAnswer(result: .failure(.silence), resolved: IPAddress("192.168.1.1"))
    #expect(PathValidation([HostReply(host: named, family: .ipv4, answer: silent)]).state == .unanswered)
  }

  @Test func `the network's own word is a portal with its page, and no word for the Internet`() throws {
    func judge(
      _ text: String, status: Int = 200, _ mediaType: String = PortalAnswer.mediaType, beside words: String = ""
    ) throws -> PathValidation {
      let content = WebAnswer.Content(status: status, mediaType: mediaType, body: Array(text.utf8))
      return PathValidation(try Self.replies(words), announced: WebAnswer(result: .success(content), when: 7))
    }
    let captive = #"{"captive": true, "user-portal-url": "https://portal.example/"}"#
    let alone = try judge(captive)
    #expect(alone.state == .portal && alone.portal == "https://portal.example/")
    #expect(alone.evidence.map(\.source) == [.signIn] && alone.evidence.map(\.when) == [7])
    #expect(try judge(captive, beside: "https right").state == .partial)
    #expect(try judge(#"{"captive": true}"#, beside: "https expired, http 302").portal == Self.http.address)
    let open = #"{"captive": false, "seconds-remaining": 60, "venue-info-url": "https://a.example/"}"#
    #expect(try judge(open).state == .unknown && judge(open).evidence.map(\.verdict) == [.unknown])
    #expect(
      try judge(open).evidence.map(\.text)
        == ["the network lets traffic through for 60 s (about the place: https://a.example/)"])
    #expect(try judge(open, beside: "https right, http right").state == .validated)
    for failed in [try judge("{}"), try judge("{}", status: 500), try judge("{}", "text/html")] {
      #expect(failed.state == .unknown && failed.portal == nil && failed.evidence.count == 1)
    }
    #expect(try judge("{invalid", beside: "https expired, http 302").portal == Self.http.address)
  }

  @Test(
    "an announced address that is not of https is not asked",
    arguments: ["http://capport.example.com", "file://localhost/myfile", "ThisIsNotAValidUrl"])
  func scheme(_ address: String) {
    var path = NetworkPath.unknown
    path.validation = PathValidation(announced: address)
    #expect(RequestRound([], over: path).isEmpty)
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

  @Test func `a right answer by http alone is no reason of a partial verdict`() throws {
    let verdict = PathValidation(try Self.replies("http right, https reset"))
    #expect(verdict.state == .partial && verdict.evidence.map(\.verdict) == [.partial, .partial])
    #expect(verdict.reasons.map(\.text) == [verdict.evidence[1].text])
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

import PathModel
import Testing

@testable import Validation

/// When a round ends without the answers that are missing.
@Suite("The end of a round")
struct RoundLimitTests {
  private static let round = {
    var path = NetworkPath.unknown
    path.supportsIPv4 = true
    return RequestRound(
      [RoundVerdictTests.http, RoundVerdictTests.https, RoundVerdictTests.other, RoundVerdictTests.otherHTTPS],
      over: path)
  }()
  private static let both = {
    var round = RoundLimitTests.round
    round.families = [.ipv4, .ipv6]
    return round
  }()

  private static func status(_ status: Int, _ body: String = "") -> WebAnswer {
    WebAnswer(result: .success(.init(status: status, body: Array(body.utf8))))
  }
  private static let (right, ok, redirect) = (status(204), status(200, "ok\n"), status(302))
  private static let noName = WebAnswer(result: .failure(.noName))
  private static let reset = WebAnswer(result: .failure(.reset))

  /// The answers so far, host by host, by HTTP and HTTPS each; of two families IPv4 comes first.
  static let rows: [(situation: String, round: RequestRound, answers: [WebAnswer?], isNearEnd: Bool)] = [
    ("nothing", round, [nil, nil, nil, nil], false),
    ("one right answer by HTTP", round, [right, nil, nil, nil], false),
    ("one right answer by HTTPS", round, [nil, right, nil, nil], true),
    ("a silent host", round, [right, right, nil, nil], true),
    ("one intercepted host", round, [redirect, nil, nil, nil], false),
    ("a host that is let through", round, [right, right, redirect, nil], false),
    ("all intercepted by HTTP", round, [redirect, nil, redirect, nil], true),
    ("one intercepted, one answers", round, [redirect, nil, ok, nil], false),
    ("one intercepted, one reset", round, [redirect, nil, reset, nil], true),
    ("no name", round, [noName, noName, nil, nil], false),
    ("IPv6 has answered nothing", both, [right, nil, right, nil, ok, nil, ok, nil], false),
    ("IPv6 may be validated by one host alone", both, [right, nil, right, nil, ok, noName, ok, noName], true),
    ("a portal by IPv4, and silence by IPv6", both, [redirect, nil, nil, nil, redirect, nil, nil, nil], true),
    ("IPv4 by half, and the portal by IPv6", both, [redirect, redirect, nil, nil, nil, redirect, nil, nil], true),
    ("both families by half", both, [redirect, redirect, nil, nil, nil, nil, nil, nil], false),
  ]

  @Test("comes soon when the missing answers hardly change the verdict", arguments: rows)
  func limit(_ situation: String, round: RequestRound, answers: [WebAnswer?], isNearEnd: Bool) {
    let limit = round.limit(answers, after: .milliseconds(100))
    #expect(limit == (isNearEnd ? .milliseconds(600) : nil), "\(situation)")
  }

  @Test func `is later on a slow network`() {
    let answers = [nil, Self.right, nil, nil]
    #expect(Self.round.limit(answers, after: .seconds(3)) == .seconds(6))
  }

  @Test func `is as late as that of the announced interface, unless the hosts have answered`() {
    var round = Self.round
    round.announced = "https://portal.example/api"
    #expect(round.limit([nil, nil, nil, nil, nil], after: .zero) == nil)
    #expect(round.limit([Self.right, Self.right, Self.ok, Self.ok, nil], after: .zero) == .milliseconds(500))
    let captive = WebAnswer(
      result: .success(.init(status: 200, mediaType: PortalAnswer.mediaType, body: Array(#"{"captive":true}"#.utf8))))
    #expect(round.limit([nil, nil, nil, nil, captive], after: .zero) == nil)
  }
}

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
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var round = RoundLimitTests.round
    let answers: [WebAnswer?]
    let isNearEnd: Bool
  }

  static let rows = [
    Row(testDescription: "nothing", answers: [nil, nil, nil, nil], isNearEnd: false),
    Row(testDescription: "one right answer by HTTP", answers: [right, nil, nil, nil], isNearEnd: false),
    Row(testDescription: "one right answer by HTTPS", answers: [nil, right, nil, nil], isNearEnd: true),
    Row(testDescription: "a silent host", answers: [right, right, nil, nil], isNearEnd: true),
    Row(testDescription: "one intercepted host", answers: [redirect, nil, nil, nil], isNearEnd: false),
    Row(testDescription: "a host that is let through", answers: [right, right, redirect, nil], isNearEnd: false),
    Row(testDescription: "all intercepted by HTTP", answers: [redirect, nil, redirect, nil], isNearEnd: true),
    Row(testDescription: "one intercepted, one answers", answers: [redirect, nil, ok, nil], isNearEnd: false),
    Row(testDescription: "one intercepted, one reset", answers: [redirect, nil, reset, nil], isNearEnd: true),
    Row(testDescription: "no name", answers: [noName, noName, nil, nil], isNearEnd: false),
    Row(
      testDescription: "IPv6 has answered nothing", round: both,
      answers: [right, nil, right, nil, ok, nil, ok, nil], isNearEnd: false),
    Row(
      testDescription: "IPv6 may be validated by one host alone", round: both,
      answers: [right, nil, right, nil, ok, noName, ok, noName], isNearEnd: true),
    Row(
      testDescription: "a portal by IPv4, and silence by IPv6", round: both,
      answers: [redirect, nil, nil, nil, redirect, nil, nil, nil], isNearEnd: true),
    Row(
      testDescription: "IPv4 by half, and the portal by IPv6", round: both,
      answers: [redirect, redirect, nil, nil, nil, redirect, nil, nil], isNearEnd: true),
    Row(
      testDescription: "both families by half", round: both,
      answers: [redirect, redirect, nil, nil, nil, nil, nil, nil], isNearEnd: false),
  ]

  @Test("comes soon when the missing answers hardly change the verdict", arguments: rows)
  func limit(_ row: Row) {
    let limit = row.round.limit(row.answers, after: .milliseconds(100))
    #expect(limit == (row.isNearEnd ? .milliseconds(600) : nil))
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

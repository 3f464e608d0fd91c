import ConnectivityTesting
import Foundation
import PathModel
import Testing

@testable import Validation

/// libcurl's outcomes, against a server of this process that does what servers do wrong.
@Suite("Requests by libcurl")
struct WebTransfersTests {
  private static func bytes(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "x"), count: count) }
  private static let body = FaultAnswer(body: "a body that is not sent to its end")

  /// An answer, and what is made of it: the content, or `nil` for a connection that ended too early.
  static let rows: [(rule: String, answer: FaultAnswer, content: WebAnswer.Content?)] = [
    ("an answer", FaultAnswer(204), .init(status: 204)),
    (
      "a type with a parameter", FaultAnswer(headers: [("Content-Type", "Text/HTML; charset=utf-8")], body: "hi"),
      .init(status: 200, mediaType: "text/html", body: Array("hi".utf8))
    ),
    (
      "a redirect, which is not followed", .redirect(to: "http://portal.example/a?b"),
      .init(status: 302, location: "http://portal.example/a?b")
    ),
    ("the longest body", FaultAnswer(200, bytes: bytes(4_096)), .init(status: 200, body: bytes(4_096))),
    ("a longer body is cut", FaultAnswer(200, bytes: bytes(1 << 20)), .init(status: 200, body: bytes(4_097))),
    ("headers without end", FaultAnswer(headers: [("X", String(repeating: "x", count: 90_000))]), nil),
    ("a reset", body.with(.reset(afterBodyBytes: nil)), nil),
    ("a reset in the body", body.with(.reset(afterBodyBytes: 3)), nil),
    ("an end in the body", body.with(.truncated(afterBodyBytes: 3)), nil),
    ("no byte", body.with(.close), nil),
    ("bytes that are no HTTP", body.with(.bytes([0, 0xFF, 0x1B] + Array("[2J\r\n\r\n".utf8))), nil),
  ]

  @Test("an answer is content or the word that somebody has answered", arguments: rows)
  func answer(_ rule: String, _ sent: FaultAnswer, _ content: WebAnswer.Content?) throws {
    let server = try FaultServer { _ in sent }
    defer { server.close() }
    let answer = try #require(
      WebTransfers.answers([WebRequest(address: server.url("/a").absoluteString, family: .ipv4)]).first)
    #expect(answer.result == (content.map { .success($0) } ?? .failure(.reset)), "\(rule)")
    #expect(answer.resolved == IPAddress("127.0.0.1") && answer.when > 0)
    #expect(server.requestCount() == 1)
  }

  /// A wrong answer and its fault, after which no clean end comes.
  static let wrongRows: [(ValidationHost.RightAnswer, FaultAnswer, WebAnswer.Content)] = {
    let right = ValidationHost.RightAnswer.body(Array("ok\n".utf8))
    let place = "/sign-in"
    var redirect = FaultAnswer.redirect(to: place)
    redirect.body = bytes(100)
    let page = FaultAnswer(body: "<html>")
    let faults: [FaultAnswer.Fault] = [
      .silent(afterBodyBytes: 2), .truncated(afterBodyBytes: 2), .reset(afterBodyBytes: 2),
      .slowBody(pieceBytes: 2, pause: .milliseconds(10)),
    ]
    let rows = faults.flatMap { fault in
      [
        (right, redirect.with(fault), WebAnswer.Content(status: 302, location: place)),
        (.status(204), page.with(fault), WebAnswer.Content(status: 200)),
        (right, FaultAnswer(511, body: "<html>").with(fault), WebAnswer.Content(status: 511)),
      ]
    }
    // A reset overtakes bytes that the client has not read, so a body that is needed has none here.
    let others = [faults[0], faults[1], faults[3]].map { (right, page.with($0), WebAnswer.Content(status: 200)) }
    let bare = FaultAnswer().with(.bytes(Array("\r\n<html>".utf8)))
    return rows + others + [(right, bare, WebAnswer.Content(status: 0)), (.status(204), bare, .init(status: 0))]
  }()

  @Test("a wrong answer is complete as soon as it is wrong, however it ends", arguments: wrongRows)
  func wrongAnswer(_ right: ValidationHost.RightAnswer, _ answer: FaultAnswer, _ expected: WebAnswer.Content) throws {
    let server = try FaultServer { _ in answer }
    defer { server.close() }
    let request = WebRequest(address: server.url("/a").absoluteString, family: .ipv4, right: right)
    let content = try #require(WebTransfers.answers([request]).first).result.get()
    #expect(content.status == expected.status && content.location == expected.location)
  }

  @Test(
    arguments: [
      (503, "120", .seconds(120)), (429, "7", .seconds(7)), (429, nil, .seconds(600)), (503, nil, nil),
      (503, "soon", nil), (302, "120", nil), (204, "120", nil),
    ] as [(Int, String?, Duration?)])
  func `a host that is out of order may say for how long`(status: Int, value: String?, time: Duration?) throws {
    let server = try FaultServer { _ in FaultAnswer(status, headers: value.map { [("Retry-After", $0)] } ?? []) }
    defer { server.close() }
    for right in [ValidationHost.RightAnswer.status(204), nil] {
      let request = WebRequest(address: server.url("/a").absoluteString, family: .ipv4, right: right)
      #expect(try WebTransfers.answers([request]).first?.result.get().retryAfter == time)
    }
  }

  @Test(arguments: [FaultAnswer.Fault.truncated(afterBodyBytes: 2), .reset(afterBodyBytes: 2)])
  func `the right answer needs its end`(_ fault: FaultAnswer.Fault) throws {
    let server = try FaultServer { _ in FaultAnswer(body: "ok\n").with(fault) }
    defer { server.close() }
    let request = WebRequest(
      address: server.url("/a").absoluteString, family: .ipv4, right: .body(Array("ok\n".utf8)))
    #expect(WebTransfers.answers([request]).first?.result == .failure(.reset))
  }

  @Test func `requests that are not awaited any more are ended, and reported as such`() throws {
    let server = try FaultServer {
      $0.path == "/now" ? FaultAnswer(body: "now") : FaultAnswer().with(.silent(afterBodyBytes: nil))
    }
    defer { server.close() }
    let requests = ["/now", "/never", "/never"].map { WebRequest(address: server.url($0).absoluteString) }
    var (asked, reported) = ([Int](), [Int: WebAnswer]())
    let answers = WebTransfers.answers(
      requests,
      limit: { answers, elapsed in
        asked.append(answers.count { $0 != nil })
        return asked.last == 1 ? elapsed + .milliseconds(100) : nil
      }, report: { #expect(reported.updateValue($1, forKey: $0) == nil) })
    #expect(asked.last == 1)
    #expect(answers.first?.result == .success(.init(status: 200, body: Array("now".utf8))))
    #expect(answers.dropFirst().map(\.result) == [.failure(.unawaited), .failure(.unawaited)])
    #expect((0..<3).allSatisfy { reported[$0]?.result == answers[$0].result })
    #expect(answers[1].resolved == IPAddress("127.0.0.1"))
  }

  @Test func `all requests are made at once, and each is reported once`() throws {
    let server = try FaultServer { FaultAnswer(body: $0.path).with(.late(by: .milliseconds(200))) }
    let refusing = try FaultPort.refusing()
    defer {
      server.close()
      refusing.close()
    }
    let requests = (0..<32).map { WebRequest(address: server.url("/\($0)").absoluteString) }
    var reported: [Int] = []
    let begin = ContinuousClock.now
    let answers = WebTransfers.answers(
      requests + [WebRequest(address: "http://127.0.0.1:\(refusing.port)/")],
      report: { place, _ in reported.append(place) })
    #expect(begin.duration(to: .now) < .seconds(3))
    #expect(reported.sorted() == Array(0...32))
    #expect(answers.last?.result == .failure(.reset))
    for (place, answer) in answers.dropLast().enumerated() {
      #expect(answer.result == .success(.init(status: 200, body: Array("/\(place)".utf8))))
    }
  }

  @Test func `the server is asked for the type, and by nothing else than the web`() throws {
    let server = try FaultServer { FaultAnswer(body: $0.headers["accept"] ?? "none") }
    defer { server.close() }
    let answers = WebTransfers.answers([
      WebRequest(address: server.url("/").absoluteString, mediaType: PortalAnswer.mediaType),
      WebRequest(address: "file:///etc/passwd"),
      WebRequest(address: server.url("/").absoluteString, family: .ipv6),
    ])
    #expect(answers[0].result == .success(.init(status: 200, body: Array(PortalAnswer.mediaType.utf8))))
    guard case .failure(.failed) = answers[1].result else { throw Unexpected(answer: answers[1]) }
    #expect(answers[2].result == .failure(.noName), "an IPv4 address has no IPv6 one")
    #expect(server.requestCount() == 1)
  }

  private struct Unexpected: Error {
    let answer: WebAnswer
  }
}

extension WebTransfers {
  /// The answers to the requests, in their order.
  fileprivate static func answers(
    _ requests: [WebRequest], limit: ([WebAnswer?], Duration) -> Duration? = { _, _ in nil },
    report: (Int, WebAnswer) -> Void = { _, _ in }
  ) -> [WebAnswer] {
    var answers: [WebAnswer] = []
    run(requests, limit: limit, report: report) { answers = $0 }
    return answers
  }
}

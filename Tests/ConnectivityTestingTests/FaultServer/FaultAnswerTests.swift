import Testing

@testable import ConnectivityTesting

@Suite("Steps of an answer")
struct FaultAnswerTests {
  private let answer = FaultAnswer(503, headers: [("Retry-After", "17")], body: "abcde")
  private let head =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 17\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"

  private func sent(_ text: String) -> FaultAnswer.Step { .send(Array(text.utf8)) }

  @Test func `an answer is sent whole, as far as its fault lets it, late, or as bytes that are no HTTP`() {
    #expect(answer.steps == [sent(head + "abcde"), .close])
    let rows: [(FaultAnswer.Fault, [FaultAnswer.Step])] = [
      (.truncated(afterBodyBytes: 2), [sent(head + "ab"), .close]), (.reset(afterBodyBytes: nil), [.reset]),
      (.silent(afterBodyBytes: nil), [.waitForClient]), (.close, [.close]),
      (.bytes([1, 2]), [.send([1, 2]), .close]),
      (.late(by: .seconds(3)), [.pause(.seconds(3)), sent(head + "abcde"), .close]),
    ]
    for (fault, steps) in rows { #expect(answer.with(fault).steps == steps) }
  }

  @Test(arguments: [-1, 0, 5, 6, .max, .min])
  func `a number of bytes that the body does not have is not sent`(count: Int) {
    let part = count < 1 ? "" : "abcde"
    #expect(answer.with(.truncated(afterBodyBytes: count)).steps == [sent(head + part), .close])
    #expect(answer.with(.reset(afterBodyBytes: count)).steps == [sent(head + part), .drain, .reset])
    #expect(answer.with(.silent(afterBodyBytes: count)).steps == [sent(head + part), .waitForClient])
  }

  @Test func `a slow head waits before each of its lines`() {
    let pause = FaultAnswer.Step.pause(.milliseconds(9))
    #expect(
      answer.with(.slowHead(pause: .milliseconds(9))).steps == [
        pause, sent("HTTP/1.1 503 Service Unavailable\r\n"), pause, sent("Retry-After: 17\r\n"),
        pause, sent("Content-Length: 5\r\n"), pause, sent("Connection: close\r\n"), pause, sent("\r\n"),
        sent("abcde"), .close,
      ])
  }

  @Test func `a slow body waits before each of its pieces`() {
    let pause = FaultAnswer.Step.pause(.milliseconds(9))
    #expect(
      answer.with(.slowBody(pieceBytes: 2, pause: .milliseconds(9))).steps == [
        sent(head), pause, sent("ab"), pause, sent("cd"), pause, sent("e"), .close,
      ])
    #expect(
      answer.with(.slowBody(pieceBytes: 0, pause: .zero)).steps
        == answer.with(.slowBody(pieceBytes: 1, pause: .zero)).steps)
  }

  @Test func `a status without a phrase has one made of its number`() {
    guard case .send(let bytes) = FaultAnswer(299).steps.first else {
      Issue.record("nothing is sent")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 299 Status 299\r\n"))
  }
}

@Suite("Answers by path")
struct FaultCatalogueTests {
  private func answer(_ target: String, number: Int = 1) -> FaultAnswer {
    .catalogue(FaultRequest(target, headers: ["host": "127.0.0.1:8000"], number: number))
  }

  @Test(arguments: [200, 404, 418, 599])
  func `a status has a path`(status: Int) {
    #expect(answer("/status/\(status)").status == status)
  }

  @Test(arguments: ["/status/", "/status/199", "/status/600", "/status/x", "/status", "/", "/nothing", "/ok/"])
  func `a path without an answer is not found`(path: String) {
    #expect(answer(path).status == 404)
  }

  @Test func `the value of Retry-After is that of the path`() {
    #expect(answer("/retry-after/17").headers == [.init(name: "Retry-After", value: "17")])
    let date = "Wed,%2021%20Oct%202015%2007:28:00%20GMT"
    #expect(answer("/retry-after/\(date)").headers.first?.value == "Wed, 21 Oct 2015 07:28:00 GMT")
    // A line feed in the value cannot add a header field.
    #expect(answer("/retry-after/1%0d%0aX:%20y").status == 404)
  }

  @Test func `a server recovers at every third request`() {
    #expect((1...6).map { answer("/recovers", number: $0).status } == [503, 503, 200, 503, 503, 200])
  }

  @Test func `a captive portal is a page at another host name and the same port`() {
    #expect(answer("/captive").headers.first?.value == "http://localhost:8000/portal")
    let other = FaultAnswer.catalogue(FaultRequest("/captive", headers: ["host": "localhost:1"]))
    #expect(other.headers.first?.value == "http://127.0.0.1:1/portal")
    let page = answer("/portal")
    #expect(page.status == 200 && page.headers.first?.value.hasPrefix("text/html") == true)
    #expect(String(decoding: page.body, as: UTF8.self).contains("Sign in"))
  }

  @Test func `JSON is whole, ends in the middle or lacks a member, and a loop leads to itself`() {
    let bodies = ["/json", "/broken-json", "/missing-member"].map { String(decoding: answer($0).body, as: UTF8.self) }
    #expect(bodies == [#"{"name":"value","count":1}"#, #"{"name":"value","cou"#, #"{"name":"value"}"#])
    #expect(answer("/loop").status == 302 && answer("/loop").headers.first?.value == "/loop")
  }
}

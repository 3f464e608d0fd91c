import ConnectivityTesting
import Foundation
import FoundationNetworking
import ProcessTestSupport
import RequestsOnPath
import Testing

/// Requests for values: the request, its failures, its answers and the retries, against a server.
@Suite("Requests for values", .timeLimit(.minutes(2)))
struct ValueTests {
  private struct Post: Decodable, Equatable {
    var title: String
    var count: Int?
  }

  private func value(
    _ url: URL, on stage: Stage, method: String = "GET", retry policy: RetryPolicy = .standard,
    options: RequestOptions? = nil
  ) async -> Result<[Post], ValueFailure> {
    var request = URLRequest(url: url)
    request.httpMethod = method
    if method == "POST" { request.httpBody = Data("{}".utf8) }
    do throws(ValueFailure) {
      return .success(
        try await stage.session.value(
          [Post].self, for: request, retry: policy, options: options ?? stage.options(), clock: stage.clock))
    } catch { return .failure(error) }
  }

  private func failure(_ url: URL, on stage: Stage = Stage(.online()), method: String = "GET") async -> ValueFailure? {
    switch await value(url, on: stage, method: method, retry: .never) {
    case .success(let value):
      Issue.record("it did not fail: \(value)")
      return nil
    case .failure(let failure): return failure
    }
  }

  // MARK: Answers

  @Test func `an answer with JSON is a value`() async throws {
    let server = try FaultServer.forRequests()
    let result = await value(server.url(body: #"[{"title":"a"},{"title":"b","count":2}]"#), on: Stage(.online()))
    #expect(try result.get() == [Post(title: "a"), Post(title: "b", count: 2)])
  }

  @Test(
    "an answer that cannot be decoded says where",
    arguments: [
      (200, #"[{"title":"a"},{"title":"b","count":"two"}]"#, "The value is not of type Int at [1].count."),
      (200, "[{\"title\":", "The document is damaged."), (204, "", "The document is damaged."),
      (200, #"[{"name":"a"}]"#, "The member \"title\" is missing at [0]."),
    ])
  func undecodable(_ status: Int, _ body: String, _ sentence: String) async throws {
    let server = try FaultServer.forRequests()
    let failure = await failure(server.url(status: status, body: body))?.answer
    #expect(failure?.reason == .undecodable && failure?.failureReason == sentence)
    #expect(failure?.recoverySuggestion == "Look for an update of this program.")
  }

  @Test func `a page in place of JSON, also from another host, and a proxy that asks for a sign-in are portals`()
    async throws
  {
    let server = try FaultServer.forRequests()
    let url = server.url(type: "text/html", body: "<!DOCTYPE html><title>Sign in</title>")
    let page = await failure(url)?.request
    #expect(page?.reason == .captivePortal(url))
    #expect(page?.recoverySuggestion?.contains(url.absoluteString) == true)
    let elsewhere = await failure(server.url("/elsewhere", type: "", body: "sign in"))?.request
    guard case .captivePortal(let other?) = elsewhere?.reason else { return recordIssue("\(elsewhere as Any)") }
    #expect(other.host == "localhost" && elsewhere?.isUnsent == false)
    let proxy = await failure(server.url(status: 511, body: ""))?.request
    guard case .captivePortal = proxy?.reason else { return recordIssue("\(proxy as Any)") }
  }

  @Test func `an answer with JSON in place of a page is an answer, even from another host`() async throws {
    let server = try FaultServer.forRequests()
    let result = await value(server.url("/elsewhere", body: #"[{"title":"a"}]"#), on: Stage(.online()))
    #expect(try result.get() == [Post(title: "a")])
  }

  @Test(
    "an answer that says no has the words of the server, and errors come before the content",
    arguments: [
      (
        400, #"{"error":true,"reason":"Username is too short."}"#, AnswerFailure.Reason.notAccepted,
        "Username is too short."
      ),
      (422, #"{"title":"Invalid","detail":"No such day."}"#, .notAccepted, "No such day."),
      (401, #"{"message":"who?"}"#, .unauthorized, "who?"), (403, "[]", .forbidden, nil), (410, "", .notFound, nil),
      (404, "<html>none</html>", .notFound, nil),
      (429, #"{"error":"slow\u001b[31m down"}"#, .tooManyRequests, "slow\\u{1B}[31m down"),
      (502, "<html>Bad gateway</html>", .serverError, nil), (302, "", .unexpectedStatus, nil),
      (500, #"{"reason":5}"#, .serverError, nil),
    ] as [(Int, String, AnswerFailure.Reason, String?)])
  func answers(_ status: Int, _ body: String, _ reason: AnswerFailure.Reason, _ message: String?) async throws {
    let server = try FaultServer.forRequests()
    let failure = try #require(await failure(server.url(status: status, body: body))?.answer)
    #expect(failure.reason == reason && failure.status == status && failure.message == message)
  }

  // MARK: Retries

  @Test func `two answers with Retry-After and then a value are three requests, 17 seconds apart`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let clock = WatchedClock()
    let url = server.url("/third", body: #"[{"title":"a"}]"#)
    let task = Task { () async -> Result<[Post], ValueFailure> in
      do throws(ValueFailure) {
        return .success(
          try await stage.session.value(
            [Post].self, for: URLRequest(url: url), retry: RetryPolicy(isIdempotent: false, backoff: .none),
            options: stage.options(), clock: clock))
      } catch { return .failure(error) }
    }
    for pause in 1...2 {
      await clock.waitForSleep(until: .seconds(17 * pause))
      clock.manual.advance(by: .seconds(17))
    }
    #expect(try await task.value.get() == [Post(title: "a")])
    #expect(server.requestCount() == 3)
  }

  @Test(
    "an answer that stays as it is gets one request",
    arguments: [(500, ""), (400, ""), (404, ""), (501, ""), (503, "121")])
  func noRetry(_ status: Int, _ retryAfter: String) async throws {
    let server = try FaultServer.forRequests()
    let url = server.url(status: status, retryAfter: retryAfter, body: "{}")
    guard case .failure(.answer(let failure)) = await value(url, on: Stage(.online())) else {
      return recordIssue("no answer")
    }
    #expect(failure.status == status)
    #expect(failure.retryAfter == (retryAfter.isEmpty ? nil : .seconds(121)))
    #expect(server.requestCount() == 1)
  }

  @Test func `a POST is repeated only with a key or by permission`() async throws {
    let server = try FaultServer.forRequests()
    let policies = [false, true].map { RetryPolicy(isIdempotent: $0, backoff: .none) }
    for (number, (policy, count)) in zip(policies, [1, 3]).enumerated() {
      let url = server.url(status: 503, body: "{\"number\":\(number)}")
      _ = await value(url, on: Stage(.online()), method: "POST", retry: policy)
      #expect(server.requests.count { $0.query["body"] == "{\"number\":\(number)}" } == count)
    }
  }

  @Test func `a server that resets the connection is tried again`() async throws {
    let server = try FaultServer.forRequests()
    let result = await value(
      server.url("/reset"), on: Stage(.online()), retry: RetryPolicy(isIdempotent: false, backoff: .none))
    guard case .failure(.request(let failure)) = result else { return recordIssue("\(result)") }
    #expect(failure.reason == .connectionLost)
    #expect(server.requests.map(\.path) == ["/reset", "/reset", "/reset"])
  }

  @Test func `the total time covers all attempts, and a server that hangs until then has failed`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let budget = RetryBudget(capacity: 20)
    let policy = RetryPolicy(isIdempotent: false, timeout: .seconds(30), budget: budget)
    let task = Task { await value(server.url("/silent"), on: stage, retry: policy) }
    await server.waitForRequests(to: "/silent")
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .seconds(30))
    guard case .failure(.request(let failure)) = await task.value else { return recordIssue("no failure") }
    #expect(failure.reason == .timedOut(.resource) && failure.url == server.url("/silent"))
    #expect(budget.tokens == 19)
    await server.waitForAbandoned(of: "/silent")
  }

  @Test func `a test that moves its clock from sleeper to sleeper ends no request as timed out`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let pump = Task { while !Task.isCancelled { await stage.clock.advanceToNextSleeper() } }
    defer { pump.cancel() }
    let result = await value(server.url("/third", body: #"[{"title":"a"}]"#), on: stage)
    #expect(try result.get().first?.title == "a")
    #expect(server.requestCount() == 3 && stage.clock.now.offset < .seconds(60))
    stage.script.send(.offline)
    let answer = Task { try await stage.get(server.url("/late")) }
    _ = await stage.nextWait()
    #expect(stage.clock.sleeperCount == 0)
    stage.script.send(.online())
    #expect(try await answer.value.text == "ok")
  }

  @Test(
    "neither a portal nor a refusal for lack of a requirement is a success of the server",
    arguments: [NetworkPath.online(), .online(isExpensive: true), .offline])
  func neutral(_ path: NetworkPath) async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(path))
    let budget = RetryBudget(capacity: 20)
    budget.noteFailure()
    let policy = RetryPolicy(isIdempotent: false, budget: budget)
    let page = server.url(type: "text/html", body: "<html>Sign in</html>")
    let failure = await ValueFailure.thrown { () async throws(ValueFailure) in
      try await stage.session.value(
        [Post].self, for: URLRequest(url: page), requiring: .unmetered, retry: policy,
        options: stage.options(whenUnmet: .refuse), clock: stage.clock)
    }
    #expect(failure?.request != nil && budget.tokens == 19)
  }

  @Test func `a POST that was redirected to a page is not sent twice`() async throws {
    let server = try FaultServer.forRequests()
    let url = server.url("/elsewhere", type: "text/html", body: "<html>Thank you</html>")
    let result = await value(url, on: Stage(.online()), method: "POST", retry: RetryPolicy(isIdempotent: false))
    guard case .failure(.request(let failure)) = result else { return recordIssue("\(result)") }
    guard case .captivePortal = failure.reason else { return recordIssue("\(failure)") }
    #expect(!failure.isUnsent)
    #expect(server.requests.map(\.path) == ["/elsewhere", "/answer"])
  }

  @Test func `a POST that waits for its path is measured by the total time alone, and sent once`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let url = server.url(body: #"[{"title":"a"}]"#)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let policy = RetryPolicy(
      isIdempotent: false, attemptTimeout: .seconds(5), reconnection: Reconnection(spread: .zero))
    let waits = AsyncStream.makeStream(of: NetworkPath.self)
    let task = Task { [request] in
      try await stage.session.value(
        [Post].self, for: request, retry: policy, options: stage.options(), clock: stage.clock
      ) { waits.continuation.yield($0) }
    }
    _ = await waits.stream.first { _ in true }
    stage.clock.advance(by: .seconds(3_600))
    stage.script.send(.online())
    #expect(try await task.value == [Post(title: "a")])
    #expect(server.requestCount() == 1)
  }

  @Test func `a request that waits inside a retry does not use up the time of the attempt`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let policy = RetryPolicy(isIdempotent: false, maximumAttempts: 1, attemptTimeout: .seconds(5))
    let task = Task {
      try await retry(policy, clock: stage.clock) {
        try await stage.get(server.url("/ok"), stage.options(timeout: .seconds(10_000))).text
      }
    }
    // The total time of the request alone: the time of the attempt stands still.
    await stage.clock.waitForSleeper(until: .init(offset: .seconds(10_000)))
    while stage.clock.sleeperCount != 1 { await Task.yield() }
    stage.clock.advance(by: .seconds(3_600))
    stage.script.send(.online())
    #expect(try await task.value == "ok")
  }

  @Test(
    "an answer without a value is judged by its status, and a date is compared with that of the answer",
    arguments: [
      (503, "17", 17), (503, "Wed, 21 Oct 2015 07:38:00 GMT", 600), (429, nil, nil), (404, nil, nil),
    ] as [(Int, String?, Int?)])
  func judged(_ status: Int, _ retryAfter: String?, _ seconds: Int?) throws {
    let url = try #require(URL(string: "http://127.0.0.1/file"))
    var fields = ["Date": "Wed, 21 Oct 2015 07:28:00 GMT"]
    fields["Retry-After"] = retryAfter
    func answer(_ status: Int) throws -> URLResponse {
      try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }
    let failure = try AnswerFailure(judging: answer(status), data: Data(#"{"reason": "because"}"#.utf8))
    #expect(failure?.status == status && failure?.retryAfter == seconds.map { .seconds($0) })
    #expect(failure?.message == "because" && failure?.url == url)
    #expect(try AnswerFailure(judging: answer(200)) == nil)
    let file = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    #expect(AnswerFailure(judging: file) == nil)
  }
}

extension ValueFailure {
  /// The failure of some work; `nil` when it succeeds.
  fileprivate static func thrown<Value>(by work: () async throws(ValueFailure) -> Value) async -> ValueFailure? {
    do throws(ValueFailure) { _ = try await work() } catch { return error }
    return nil
  }

  fileprivate var request: RequestFailure? {
    if case .request(let failure) = self { failure } else { nil }
  }

  fileprivate var answer: AnswerFailure? {
    if case .answer(let failure) = self { failure } else { nil }
  }
}

/// Records an issue, for a test that returns right after.
private func recordIssue(_ text: String, at location: SourceLocation = #_sourceLocation) {
  Issue.record("\(text)", sourceLocation: location)
}

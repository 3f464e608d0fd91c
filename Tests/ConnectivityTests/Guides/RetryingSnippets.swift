import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// The snippets of "Retrying" and of the documentation of `Resilience`, with the declarations that they use.
private struct Retrying: Sendable {
  struct Client: Sendable {
    func page(attempt: Int) async throws -> String { "page \(attempt)" }
    func report() async throws -> String { "report" }
  }

  let monitor: PathMonitor
  let client = Client()
  let spoken = SpokenLines()
  let session = URLSession(configuration: .ephemeral)
  let request: URLRequest

  func print(_ item: Any) { spoken.say(item) }
  func log(_ text: String) { spoken.say(text) }
  func load() async throws -> String { "loaded" }
  func synchronize() async throws { spoken.say("synchronized") }

  func page() async throws -> String {
    // guide: begin
    let page = try await retry(.idempotent, on: monitor) { attempt in
      try await client.page(attempt: attempt.number)
    }
    // guide: end
    return page
  }

  func typedPage() async throws(RequestFailure) -> (Data, URLResponse) {
    // guide: begin
    let page = try await retry(.idempotent, on: monitor) { _ throws(RequestFailure) in
      try await session.data(for: request, requiring: .connected)
    }
    // guide: end
    return page
  }

  func report() async throws -> String {
    // guide: begin
    var policy = RetryPolicy.idempotent
    policy.timeout = .seconds(60)
    policy.attemptTimeout = .seconds(10)
    // guide: end

    // guide: begin
    let report = try await retry(policy, on: monitor) { path in
      print("waiting: \(path)")
    } operation: { _ in
      try await client.report()
    }
    // guide: end
    return report
  }

  func patient() -> RetryPolicy {
    // guide: begin
    var patient = RetryPolicy.idempotent
    patient.decide = { failed in
      guard failed.traits.kind == .timedOut, failed.path.isExpensive else { return .standard(for: failed) }
      return .fail
    }
    // guide: end
    return patient
  }

  func firstPage() async throws -> String {
    // guide: begin
    let page = try await retry { try await load() }
    // guide: end
    return page
  }

  func anyError() async throws -> String {
    // guide: begin
    let report = try await retry(RetryPolicy(maximumAttempts: 5)) { try await load() }
    // guide: end
    return report
  }

  func logging(_ former: RetryPolicy) -> RetryPolicy {
    var policy = former
    // guide: begin
    policy.budget = .shared(for: "api.example.org")
    // guide: end
    // guide: begin
    policy.onEvent = { event in
      switch event {
      case .attemptFailed(let failed, _): log("attempt \(failed.attempt.number) failed: \(failed.failure)")
      case .ended(let end): log("ended: \(end)")
      default: break
      }
    }
    // guide: end
    return policy
  }

  func slowPage() async throws -> String {
    // guide: begin
    let page = try await withMinimumDuration(.milliseconds(500)) { try await load() }
    // guide: end
    return page
  }

  // guide: begin
  func run() async throws {
    try await monitor.whilePath(.unmetered) { try await synchronize() }
  }
  // guide: end

  struct Post: Decodable {
    var title: String
  }

  func posts() async throws -> [Post] {
    // guide: begin
    let posts = try await URLSession.shared.value([Post].self, for: request)
    // guide: end
    return posts
  }
}

@Suite("The guide to retrying")
struct RetryingTests {
  private func guide(_ path: NetworkPath = .online()) throws -> Retrying {
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    return Retrying(monitor: PathMonitor(source: .scripted(PathScript(path))), request: URLRequest(url: url))
  }

  @Test func `operations that succeed are called once`() async throws {
    let guide = try guide()
    #expect(try await guide.page() == "page 1")
    #expect(try await guide.report() == "report")
    #expect(try await guide.firstPage() == "loaded")
    #expect(try await guide.anyError() == "loaded")
    #expect(try await guide.slowPage() == "loaded")
    try await guide.run()
    #expect(await guide.spoken.next() == "synchronized")
  }

  @Test func `the requests fail without a listener`() async throws {
    let guide = try guide()
    await #expect(throws: RequestFailure.self) { _ = try await guide.typedPage() }
    await #expect(throws: ValueFailure.self) { _ = try await guide.posts() }
  }

  // guide: begin
  @Test func `a call that hangs is cut off after ten seconds, and given up after twenty-five`() async {
    let (clock, calls) = (ManualClock(), AsyncStream.makeStream(of: Int.self))
    var policy = RetryPolicy.idempotent
    policy.backoff = .constant(.seconds(2))
    policy.timeout = .seconds(25)
    policy.attemptTimeout = .seconds(10)
    let work = Task {
      try await retry(policy, clock: clock) { attempt in
        calls.continuation.yield(attempt.number)
        try await Task.sleep(for: .seconds(1_000))
      }
    }
    // An attempt, the pause, an attempt, the pause, and the end of the total time.
    for second in [10, 12, 22, 24, 25] {
      await clock.waitForSleeper(until: .init(offset: .seconds(second)))
      await clock.advanceToNextSleeper()
    }
    await #expect(throws: RetryInterruption.self) { try await work.value }
    calls.continuation.finish()
    #expect(await calls.stream.reduce(into: []) { $0.append($1) } == [1, 2, 3])
  }
  // guide: end

  @Test func `the policies decide as documented`() async throws {
    let guide = try guide()
    let failed = FailedAttempt(
      failure: URLError(.timedOut), traits: FailureTraits(.timedOut), attempt: RetryAttempt(number: 1),
      path: .online(over: .cellular), isIdempotent: true)
    #expect(guide.patient().decide(failed) == .fail)
    _ = try await retry(guide.logging(.once)) { _ in 1 }
    #expect(await guide.spoken.next() == "ended: succeeded")
  }
}

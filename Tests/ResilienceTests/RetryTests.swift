import ConnectivityTesting
import Testing

@testable import Resilience

/// The order of limits, and the decisions. Time is skipped: no test waits.
@Suite("Retrying")
struct RetryTests {
  private let clock = SkippingClock()

  /// Retries an operation that fails with these failures in order, and then succeeds.
  private func run(
    _ policy: RetryPolicy, _ failures: [TestFailure], on monitor: PathMonitor? = nil
  ) async -> (calls: [RetryAttempt], failure: TestFailure?) {
    var calls: [RetryAttempt] = []
    do throws(TestFailure) {
      try await retry(policy, on: monitor, clock: clock) { attempt throws(TestFailure) in
        calls.append(attempt)
        if failures.indices.contains(calls.count - 1) { throw failures[calls.count - 1] }
      }
    } catch { return (calls, error) }
    return (calls, nil)
  }

  @Test func `the time that the server asks for is a lower bound`() async {
    let failures = (0..<3).map { _ in TestFailure(.transient, retryAfter: .seconds(2)) }
    _ = await run(.plain(5), failures)
    #expect(clock.sleeps == [.seconds(2), .seconds(2), .seconds(4)])
  }

  @Test(
    "a server's own time is spread, by the back-off or by a quarter of it, and not beyond the deadline",
    arguments: [
      (1, nil, FixedGenerator.smallest, 1_000), (1, nil, .largest, 1_500), (60, nil, .smallest, 60_000),
      (60, nil, .largest, 75_000), (60, 70, .largest, 65_000), (60, 600, .largest, 75_000),
    ] as [(Int, Int?, FixedGenerator, Int)])
  func spread(_ seconds: Int, _ timeout: Int?, _ generator: FixedGenerator, _ milliseconds: Int) {
    var (progress, generator) = (RetryProgress(), generator)
    let failed = FailedAttempt(
      failure: TestFailure.transient, traits: FailureTraits(.transient), attempt: progress.begin(on: .unknown))
    let step = progress.step(
      after: failed, .retry(after: .seconds(seconds)), .idempotent, remaining: timeout.map { .seconds($0) },
      using: &generator)
    #expect(step == .pause(.milliseconds(milliseconds)))
  }

  @Test func `if the server asks for more than the cap, its failure is thrown at once, with the hint`() async {
    let result = await run(.plain(), [TestFailure(.transient, retryAfter: .seconds(121))])
    #expect(result.calls.count == 1 && result.failure?.failureTraits.retryAfter == .seconds(121))
    #expect(clock.sleeps.isEmpty)
  }

  @Test func `a server that always fails gets as many attempts as allowed, and the last failure is thrown`() async {
    let result = await run(.plain(4), (1...9).map { TestFailure(.transient, number: $0) })
    #expect(result.calls.map(\.number) == [1, 2, 3, 4] && result.failure?.number == 4)
  }

  @Test func `each failure is judged: a second one of another kind ends the retry`() async {
    let result = await run(.plain(5), [.transient, TestFailure(.permanent)])
    #expect(result.calls.count == 2 && result.failure == TestFailure(.permanent))
  }

  @Test(
    "a request that may have reached the server is repeated only if it is idempotent",
    arguments: [
      (TestFailure(.transient), false, 1), (TestFailure(.transient), true, 3), (TestFailure(.timedOut), false, 1),
      (TestFailure(.timedOut), true, 3), (TestFailure(.permanent, isUnsent: true), true, 1),
      (TestFailure(.unknown), true, 1), (TestFailure(.cancelled), true, 1),
      (TestFailure(.transient, isUnsent: true), false, 3),
    ])
  func idempotency(_ failure: TestFailure, _ isIdempotent: Bool, _ calls: Int) async {
    let result = await run(.plain(isIdempotent: isIdempotent), Array(repeating: failure, count: 9))
    #expect(result.calls.count == calls && result.failure == failure)
  }

  @Test func `a retry that would end after the deadline is not waited for`() {
    var generator = SystemRandomNumberGenerator()
    let steps = [nil, Duration.milliseconds(1_001), .seconds(1), .zero, .seconds(-1)].map { remaining in
      var progress = RetryProgress()
      let failed = FailedAttempt(
        failure: TestFailure.transient, traits: FailureTraits(.transient), attempt: progress.begin(on: .unknown),
        isIdempotent: true)
      return progress.step(after: failed, .retry, .plain(), remaining: remaining, using: &generator)
    }
    #expect(steps == [.pause(.seconds(1)), .pause(.seconds(1)), .end(.timedOut), .end(.timedOut), .end(.timedOut)])
  }

  @Test func `events come in order`() async {
    let events = Record<String>()
    let policy = RetryPolicy.plain().with { policy in
      policy.onEvent = { event in
        switch event {
        case .attemptBegan(let attempt): events.append("began \(attempt.number)")
        case .attemptFailed(_, let decision): events.append("failed, \(decision == .retry ? "retry" : "other")")
        case .pausing(let pause): events.append("pausing \(pause)")
        case .waitingForPath: events.append("waiting")
        case .ended(let end): events.append("ended, \(end)")
        }
      }
    }
    _ = await run(policy, [.transient])
    #expect(events.all == ["began 1", "failed, retry", "pausing 1.0 seconds", "began 2", "ended, succeeded"])
  }

  @Test(arguments: [nil, PathMonitor(source: .scripted(PathScript(.unknown)))])
  func `without a known path an offline failure is retried with pauses`(monitor: PathMonitor?) async {
    let result = await run(.plain(), Array(repeating: .offline, count: 9), on: monitor)
    #expect(result.calls.count == 3 && clock.sleeps.count == 2)
  }

  @Test func `the policy decides about each failure, with the path`() async {
    let seen = Record<String>()
    let script = PathScript(.online(over: .wifi))
    let policy = RetryPolicy.plain(9).with { policy in
      policy.decide = { failed in
        seen.append("\(failed.attempt.number) \(failed.path.interfaces.first?.name ?? "") \(failed.isPathUnmet)")
        return failed.attempt.number < 3 ? .retry(after: .seconds(9)) : .fail
      }
    }
    _ = await run(policy, Array(repeating: .transient, count: 9), on: PathMonitor(source: .scripted(script)))
    #expect(seen.all == ["1 wlan0 false", "2 wlan0 false", "3 wlan0 false"])
    #expect(clock.sleeps == [.seconds(9), .seconds(9)])
  }

  // MARK: The shape of the function

  @MainActor
  private final class Counter {
    var count = 0
  }

  @MainActor @Test func `the operation runs in the isolation of the caller, with values that cannot be sent`() async {
    final class Page {
      var text = ""
    }
    let counter = Counter()
    for timeout in [nil, Duration.seconds(5)] {
      let policy = RetryPolicy(isIdempotent: true, timeout: timeout, backoff: .none)
      let page = try? await retry(policy, clock: ManualClock()) { attempt in
        counter.count += 1
        MainActor.assertIsolated()
        guard attempt.number == 2 else { throw TestFailure.transient }
        return Page()
      }
      #expect(page?.text.isEmpty == true)
    }
    #expect(counter.count == 4)
  }

  @Test func `an error without a type is thrown unchanged, and an interruption is an error of its own`() async {
    struct Other: Error {}
    await #expect(throws: Other.self) { try await retry(.plain(), clock: clock) { _ in throw Other() } }
    let task = Task {
      try await retry(.plain(timeout: .zero), clock: clock) { _ in try await ManualClock().sleep(for: .seconds(1)) }
    }
    await #expect(throws: RetryInterruption.self) { try await task.value }
  }
}

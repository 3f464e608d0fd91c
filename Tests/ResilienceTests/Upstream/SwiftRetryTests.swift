import ConnectivityTesting
import Resilience
import Testing

/// The cases of fumoboy007/swift-retry's `RetryTests` and `FullJitterExponentialBackoffTests`, with at most two
/// attempts. `Retryable` and `NotRetryable` are traits here.
@Suite("The cases of swift-retry")
struct SwiftRetryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The failures of the attempts, in order; then they succeed.
    var failures: [FailureTraits.Kind]
    /// Whether the policy decides to retry whatever the traits are.
    var retriesAll = true
    var retries: Int
    var isSuccess: Bool

    var testDescription: String { name }
  }

  private static let cases = [
    Case(name: "no failure: success without a retry", failures: [], retries: 0, isSuccess: true),
    Case(name: "one failure: success after a retry", failures: [.unknown], retries: 1, isSuccess: true),
    Case(name: "all attempts fail", failures: [.unknown, .unknown], retries: 1, isSuccess: false),
    Case(name: "the policy decides to fail", failures: [.unknown], retriesAll: false, retries: 0, isSuccess: false),
    Case(name: "not retryable", failures: [.permanent], retriesAll: false, retries: 0, isSuccess: false),
    Case(name: "retryable", failures: [.transient], retriesAll: false, retries: 1, isSuccess: true),
    Case(
      name: "all attempts fail with retryable errors", failures: [.transient, .transient], retriesAll: false,
      retries: 1,
      isSuccess: false),
    Case(
      name: "a cancellation is not retried", failures: [.cancelled], retriesAll: false, retries: 0, isSuccess: false),
  ]

  @Test("the operation is repeated as often as in the original", arguments: cases)
  func table(_ row: Case) async {
    let clock = SkippingClock()
    let policy = RetryPolicy.plain(2).with { policy in
      if row.retriesAll { policy.decide = { _ in .retry } }
    }
    var thrown = 0
    do throws(TestFailure) {
      try await retry(policy, clock: clock) { _ throws(TestFailure) in
        guard row.failures.indices.contains(thrown) else { return }
        thrown += 1
        throw TestFailure(row.failures[thrown - 1], number: thrown)
      }
    } catch {
      #expect(error.number == thrown)
      #expect(!row.isSuccess)
      return #expect(clock.sleeps.count == row.retries)
    }
    #expect(row.isSuccess && clock.sleeps.count == row.retries)
  }

  @Test func `a task that is cancelled during a pause ends at once`() async {
    let clock = ManualClock()
    let task = Task {
      try await retry(RetryPolicy.plain(2).with { $0.backoff = .constant(.seconds(60)) }, clock: clock) { _ in
        throw TestFailure(.transient)
      }
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `full jitter is exponential with random numbers at their limits`() {
    let backoff = Backoff(base: .seconds(3), cap: .seconds(1_000_000))
    var (least, most) = (FixedGenerator.smallest, FixedGenerator.largest)
    #expect(backoff.delay(beforeRetry: 1, using: &most) == .seconds(3))
    #expect(backoff.delay(beforeRetry: 2, using: &most) == .seconds(6))
    #expect(backoff.delay(beforeRetry: 3, using: &most) == .seconds(12))
    #expect(backoff.delay(beforeRetry: 4, using: &least) == .zero)
    #expect(backoff.delay(beforeRetry: 5, using: &most) == .seconds(48))
  }

  @Test func `the cap holds for a usual and for an extreme value`() {
    var most = FixedGenerator.largest
    let backoff = Backoff(base: .seconds(1), cap: .seconds(3))
    #expect((1...4).map { backoff.delay(beforeRetry: $0, using: &most) } == [1, 2, 3, 3].map { .seconds($0) })
    let extreme = Backoff(base: .seconds(1), cap: Duration(secondsComponent: .max, attosecondsComponent: 0))
    #expect(extreme.delay(beforeRetry: 192, using: &most) <= extreme.cap)
    #expect(extreme.delay(beforeRetry: 193, using: &most) == extreme.delay(beforeRetry: 192, using: &most))
  }
}

import ConnectivityTesting
import Resilience
import Testing

/// The clock of the system ends the program when it is to sleep for more seconds than it can count.
@Suite("Times that no clock can count")
struct EndlessTimeTests {
  private static let endless = Duration.seconds(Int64.max)

  /// A clock that notes until when somebody sleeps, and never wakes anybody.
  private struct DeadlineClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let deadlines = AsyncStream<Instant>.makeStream()
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      deadlines.continuation.yield(deadline)
      try await Task.sleep(for: .seconds(1_000))
    }
  }

  /// Lets the work sleep, and ends it. The first sleep has to be one of thirty years.
  private func expectThirtyYears(_ work: @escaping @Sendable (DeadlineClock) async throws -> Void) async {
    let clock = DeadlineClock()
    let task = Task { try await work(clock) }
    let deadline = await clock.deadlines.stream.first { _ in true }
    task.cancel()
    _ = await task.result
    #expect(deadline.map { .seconds(999_999_000)...(.seconds(1_000_000_000)) ~= clock.now.duration(to: $0) } == true)
  }

  private static func offline() -> PathMonitor { PathMonitor(source: .scripted(PathScript(.offline))) }

  @Test func `they are thirty years for a minimum duration`() async {
    await expectThirtyYears { await withMinimumDuration(Self.endless, clock: $0) {} }
  }

  @Test func `they are thirty years for the wait for a path`() async {
    await expectThirtyYears { _ = try await Self.offline().waitUntil(.connected, timeout: Self.endless, clock: $0) }
  }

  @Test func `they are thirty years for the grace after a loss`() async {
    let script = PathScript(.online())
    let monitor = PathMonitor(source: .scripted(script))
    await expectThirtyYears {
      try await monitor.whilePath(.connected, onLoss: .cancel(after: Self.endless), clock: $0) {
        script.send(.offline)
        try await Task.sleep(for: .seconds(1_000))
      }
    }
  }

  @Test(arguments: [(endless, nil), (nil, endless)] as [(Duration?, Duration?)])
  func `they are thirty years for the limits of a retry`(all: Duration?, attempt: Duration?) async {
    await expectThirtyYears {
      let policy = RetryPolicy(isIdempotent: false, timeout: all, attemptTimeout: attempt)
      try await retry(policy, clock: $0) { _ in try await Task.sleep(for: .seconds(1_000)) }
    }
  }

  @Test func `they are thirty years before a retry`() async {
    await expectThirtyYears {
      let policy = RetryPolicy(isIdempotent: true, backoff: .constant(Self.endless))
      try await retry(policy, clock: $0) { _ in throw TestFailure.transient }
    }
  }
}

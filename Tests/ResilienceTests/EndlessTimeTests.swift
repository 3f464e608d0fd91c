import ConnectivityTesting
import Resilience
import Testing

/// The clock of the system ends the program when it is to sleep for more seconds than it can count.
@Suite("Times that no clock can count")
struct EndlessTimeTests {
  private static let endless = Duration.seconds(Int64.max)

  /// Lets the work sleep, and ends it.
  private func cancel(_ work: @escaping @Sendable () async throws -> Void) async {
    let task = Task { try await work() }
    for _ in 0..<100 { await Task.yield() }
    task.cancel()
    _ = await task.result
  }

  private static func offline() -> PathMonitor { PathMonitor(source: .scripted(PathScript(.offline))) }

  @Test func `they are thirty years for a minimum duration`() async {
    await cancel { await withMinimumDuration(Self.endless) {} }
  }

  @Test func `they are thirty years between the copies of a hedged request`() async {
    await cancel {
      try await hedged(Hedging(delay: Self.endless)) { _ in try await Task.sleep(for: .seconds(1_000)) }
    }
  }

  @Test func `they are thirty years for the wait for a path`() async {
    await cancel { _ = try await Self.offline().waitUntil(.connected, timeout: Self.endless) }
  }

  @Test func `they are thirty years for the grace after a loss`() async {
    let script = PathScript(.online())
    let monitor = PathMonitor(source: .scripted(script))
    await cancel {
      try await monitor.whilePath(.connected, onLoss: .cancel(after: Self.endless)) {
        script.send(.offline)
        try await Task.sleep(for: .seconds(1_000))
      }
    }
  }

  @Test func `they are thirty years before a retry`() async {
    await cancel {
      let policy = RetryPolicy(backoff: .constant(Self.endless), isIdempotent: true)
      try await retry(policy) { _ in throw TestFailure.transient }
    }
  }
}

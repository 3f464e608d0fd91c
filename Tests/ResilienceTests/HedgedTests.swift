import ConnectivityTesting
import Resilience
import Testing

@Suite("Hedged requests")
struct HedgedTests {
  private let clock = ManualClock()
  private let hedging = Hedging(delay: .milliseconds(500), maximumAttempts: 3)

  @Test func `a slow request is sent again, and the first answer wins`() async throws {
    let cancelled = Record<Int>()
    let task = Task {
      try await hedged(hedging, clock: clock) { attempt in
        if attempt.number == 3 { return attempt.number }
        do { try await ManualClock().sleep(for: .seconds(1)) } catch {
          cancelled.append(attempt.number)
          throw error
        }
        return 0
      }
    }
    for _ in 0..<2 {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(500))
    }
    #expect(try await task.value == 3)
    #expect(cancelled.all.sorted() == [1, 2])
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a failure is followed by the next copy at once, and the last failure is thrown`() async {
    let calls = Record<Int>()
    await #expect(throws: TestFailure(.transient, number: 3)) {
      try await hedged(hedging, clock: clock) { attempt in
        calls.append(attempt.number)
        throw TestFailure(.transient, number: attempt.number)
      }
    }
    #expect(calls.all == [1, 2, 3])
  }

  @Test func `a permanent failure ends it`() async {
    let calls = Record<Int>()
    await #expect(throws: TestFailure(.permanent)) {
      try await hedged(hedging, clock: clock) { attempt in
        calls.append(attempt.number)
        throw TestFailure(.permanent)
      }
    }
    #expect(calls.all == [1])
  }

  @Test func `the budget pays for each copy but the first`() async {
    let health = ServerHealth(budget: .share(of: 0, reserve: 1), breaker: nil)
    let calls = Record<Int>()
    await #expect(throws: TestFailure.self) {
      try await hedged(hedging, health: health, clock: clock) { attempt in
        calls.append(attempt.number)
        throw TestFailure.transient
      }
    }
    #expect(calls.all == [1, 2])
    #expect(health.budget?.tokens == 0)
  }

  @Test func `a cancelled task ends all copies`() async {
    let task = Task {
      try await hedged(hedging, clock: clock) { _ in try await ManualClock().sleep(for: .seconds(1)) }
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }
}

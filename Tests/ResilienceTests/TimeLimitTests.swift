import ConnectivityTesting
import SystemIO
import Testing

@testable import Resilience

@Suite("Time limits of a retry")
struct TimeLimitTests {
  private let clock = ManualClock()

  /// Works until it is cancelled, and then fails.
  private func hang() async throws(TestFailure) {
    do { try await ManualClock().sleep(for: .seconds(1)) } catch { throw TestFailure(.cancelled, number: 7) }
  }

  private func thrown(_ work: () async throws(TestFailure) -> Void) async -> TestFailure? {
    do throws(TestFailure) { try await work() } catch { return error }
    return nil
  }

  @Test func `an attempt that takes too long is cut off, and the next one is made`() async {
    let task = Task {
      var calls = 0
      let failure = await thrown { () async throws(TestFailure) in
        try await retry(.plain(2, attemptTimeout: .seconds(5)), clock: clock) { attempt throws(TestFailure) in
          calls += 1
          if attempt.number == 1 { try await hang() }
        }
      }
      return (failure, calls)
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    // The pause; the timer of the first attempt has gone.
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    let (failure, calls) = await task.value
    #expect(failure == nil && calls == 2)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `the total time cuts the running attempt off, whatever is left of the attempt's time`() async {
    let events = AsyncStream.makeStream(of: Void.self)
    let policy = RetryPolicy.plain(9, timeout: .seconds(7), attemptTimeout: .seconds(5)).with { policy in
      policy.onEvent = { if case .attemptFailed = $0 {} else { events.continuation.yield() } }
    }
    let calls = Record<Int>()
    let task = Task {
      await thrown { () async throws(TestFailure) in
        try await retry(policy, clock: clock) { attempt throws(TestFailure) in
          calls.append(attempt.number)
          try await hang()
        }
      }
    }
    var iterator = events.stream.makeAsyncIterator()
    // An attempt with two timers, the pause, and the next attempt.
    for (sleepers, seconds) in [(2, 5), (1, 1), (2, 1)] {
      await iterator.next()
      await clock.waitForSleepers(sleepers)
      clock.advance(by: .seconds(seconds))
    }
    #expect(await task.value?.interruption == .timedOut)
    #expect(calls.all == [1, 2])
    #expect(clock.now.offset == .seconds(7) && clock.sleeperCount == 0)
  }

  @Test func `an operation that succeeds in spite of its cancellation has its value`() async throws {
    let task = Task {
      try await retry(.plain(timeout: .seconds(5)), clock: clock) { _ in
        try? await hang()
        return "late"
      }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    #expect(try await task.value == "late")
  }

  @Test func `a cancelled task ends its attempt, and the failure is that of the attempt`() async {
    let began = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await thrown { () async throws(TestFailure) in
        try await retry(.plain(timeout: .seconds(60)), clock: clock) { _ throws(TestFailure) in
          began.continuation.yield()
          try await hang()
        }
      }
    }
    for await _ in began.stream { break }
    task.cancel()
    #expect(await task.value == TestFailure(.cancelled, number: 7))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a task that is cancelled during a pause ends at once`() async {
    let task = Task {
      try await retry(.plain(2), clock: clock) { _ in throw TestFailure.transient as any Error }
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a task that is cancelled while it waits for a path ends at once, and leaves nothing behind`() async {
    let script = PathScript(.offline)
    let monitor = PathMonitor(source: .scripted(script))
    let waits = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await retry(.plain(timeout: .seconds(60)), on: monitor, clock: clock) { _ in
        waits.continuation.yield()
      } operation: { _ in
        throw TestFailure.offline as any Error
      }
    }
    for await _ in waits.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while script.subscriberCount > 0 || clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test func `limits of zero, below it and beyond all clocks are limits, too`() async {
    let over = await thrown { () async throws(TestFailure) in
      try await retry(.plain(timeout: .seconds(-1)), clock: clock) { _ throws(TestFailure) in try await hang() }
    }
    #expect(over?.interruption == .timedOut)
    let endless = RetryPolicy.plain(timeout: .seconds(Int64.max), attemptTimeout: .seconds(Int64.max))
    let none = await thrown { () async throws(TestFailure) in
      try await retry(endless, clock: clock) { _ throws(TestFailure) in }
    }
    #expect(none == nil)
  }
}

import ConnectivityTesting
import SystemIO
import Testing

@testable import Resilience

/// Many clients of one server, and many that wait for one path.
@Suite("Crowds")
struct CrowdTests {
  /// The number of attempts that reach a dead server from 1,000 clients, each of which makes up to four.
  private func load(_ budget: RetryBudget?) async -> Int {
    let attempts = Record<Int>()
    let clock = SkippingClock()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          let policy = RetryPolicy.plain(4).with { $0.budget = budget }
          try? await retry(policy, clock: clock) { attempt in
            attempts.append(attempt.number)
            throw TestFailure.transient
          }
        }
      }
    }
    return attempts.count
  }

  @Test func `a dead server sees at most 1.2 times its load, and four times without a budget`() async {
    #expect(await load(nil) == 4_000)
    #expect(await load(RetryBudget()) <= 1_200)
  }

  @Test func `after ten minutes offline nothing was tried, the budget is full, and the waiters return over the spread`()
    async
  {
    let (clock, script) = (ManualClock(), PathScript(.offline))
    let monitor = PathMonitor(source: .scripted(script))
    let budget = RetryBudget()
    let waits = AsyncStream.makeStream(of: Void.self)
    let calls = Record<Duration>()
    let policy = RetryPolicy.plain(timeout: .seconds(3_600)).with { $0.budget = budget }
    let tasks = (0..<1_000).map { _ in
      Task {
        try await retry(policy, on: monitor, clock: clock) { _ in
          waits.continuation.yield()
        } operation: { _ in
          calls.append(clock.now.offset)
        }
      }
    }
    var iterator = waits.stream.makeAsyncIterator()
    for _ in tasks { await iterator.next() }
    for minute in 0..<10 {
      clock.advance(by: .seconds(60))
      script.send(.offline(because: minute.isMultiple(of: 2) ? .noCarrier : .noRoute))
    }
    #expect(calls.count == 0)
    #expect(script.subscriberCount == 1, "all of them share one")
    script.send(.online())
    let ended = Guarded(false)
    let advancing = Task {
      while !ended.copy {
        clock.advance(by: .milliseconds(10))
        for _ in 0..<100 { await Task.yield() }
      }
    }
    for task in tasks { await #expect(throws: Never.self) { try await task.value } }
    ended.withLock { $0 = true }
    await advancing.value
    #expect(calls.count == 1_000 && budget.tokens == 20)
    #expect(Set(calls.all).count > 50, "they begin at different moments")
    while script.subscriberCount > 0 || clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(5)))
  func `1,000 retries on a path that comes and goes end by their deadlines and leave nothing behind`() async {
    let (clock, script) = (ManualClock(), PathScript(.offline))
    let monitor = PathMonitor(source: .scripted(script))
    let timeout = Duration.seconds(30)
    let policy = RetryPolicy.plain(3, timeout: timeout).with { policy in
      policy.reconnection = Reconnection(maximumWaits: 3, spread: .milliseconds(200))
    }
    let (ended, starts) = (Guarded(0), Guarded([Int: ManualClock.Instant]()))
    let tasks = (0..<1_000).map { number in
      Task {
        try? await retry(policy, on: monitor, clock: clock) { _ in
          // The first attempt begins after the retry itself, and so after its time has begun to run.
          starts.withLock { if $0[number] == nil { $0[number] = clock.now } }
          // The operation of most of them fails as offline, whatever the path is: they wait again and again.
          throw number.isMultiple(of: 3) ? TestFailure.transient : TestFailure.offline
        }
        _ = starts.withLock { $0.removeValue(forKey: number) }
        ended.withLock { $0 += 1 }
      }
    }
    var isOnline = false
    while ended.copy < tasks.count {
      isOnline.toggle()
      script.send(isOnline ? .online() : .offline)
      for _ in 0..<200 { await Task.yield() }
      clock.advance(by: .milliseconds(100))
      // The clock stands still until each retry has ended whose time is over, however busy the machine is.
      while starts.withLock({ $0.values.contains { $0.duration(to: clock.now) > timeout } }) { await Task.yield() }
    }
    while script.subscriberCount > 0 || clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test func `a path that comes and goes is waited for a limited number of times`() async {
    let script = PathScript(.offline)
    let monitor = PathMonitor(source: .scripted(script))
    var calls = 0
    let policy = RetryPolicy.plain(1).with { $0.reconnection = Reconnection(maximumWaits: 5, spread: .zero) }
    await #expect(throws: TestFailure.offline) {
      try await retry(policy, on: monitor, clock: SkippingClock()) { _ in
        script.send(.online())
      } operation: { _ in
        calls += 1
        script.send(.offline)
        throw TestFailure.offline
      }
    }
    #expect(calls == 6)
  }
}

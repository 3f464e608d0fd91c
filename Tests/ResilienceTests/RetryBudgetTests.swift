import ConnectivityTesting
import Testing

@testable import Resilience

@Suite("The retry budget")
struct RetryBudgetTests {
  private let budget = RetryBudget(capacity: 10, refill: 1)
  private let clock = SkippingClock()

  /// The tokens after an operation that fails with each of the failures in turn, and then succeeds.
  private func tokens(
    after failures: TestFailure..., policy: RetryPolicy = .plain(9), on monitor: PathMonitor? = nil
  ) async -> Double {
    var failures = failures[...]
    try? await retry(policy.with { $0.budget = budget }, on: monitor, clock: clock) { _ in
      if let failure = failures.popFirst() { throw failure }
    }
    return budget.tokens
  }

  @Test func `a spent budget ends the retries, and every first attempt is made`() async {
    let calls = Record<Int>()
    for _ in 1...4 {
      let policy = RetryPolicy.plain(9).with { $0.budget = budget }
      await #expect(throws: TestFailure.transient) {
        try await retry(policy, clock: clock) { attempt in
          calls.append(attempt.number)
          throw TestFailure.transient
        }
      }
    }
    #expect(calls.all == [1, 2, 3, 4, 5, 1, 1, 1])
    #expect(clock.sleeps.count == 4, "a spent budget is no reason to pause first")
  }

  @Test func `retries stop when half of the tokens are left, and go on above it; the tokens stay in their range`() {
    let budget = RetryBudget(capacity: 10, refill: 0.1)
    budget.noteSuccess()
    #expect(budget.tokens == 10)
    for number in 1...5 {
      budget.noteFailure()
      #expect(budget.allowsRetries == (number < 5))
    }
    budget.noteSuccess()
    #expect(budget.tokens == 5.1 && budget.allowsRetries)
    for _ in 0..<20 { budget.noteFailure() }
    #expect(budget.tokens == 0)
  }

  @Test(
    "only failures that reached the server, or should have, take tokens; successes and answers bring them",
    arguments: [
      (TestFailure(.transient), 9), (TestFailure(.timedOut), 9), (TestFailure(.offline, isUnsent: true), 9),
      (TestFailure(.transient, isUnsent: true), 9), (TestFailure(.permanent), 10), (TestFailure(.unknown), 10),
      (TestFailure(.cancelled), 10),
    ] as [(TestFailure, Double)])
  func drain(_ failure: TestFailure, _ tokens: Double) async {
    #expect(await self.tokens(after: failure, policy: .plain(1)) == tokens)
  }

  @Test func `an answer that says no is a success of the server, and a page in its place is not`() async {
    for _ in 1...2 { budget.noteFailure() }
    #expect(await tokens(after: TestFailure(.permanent)) == 8)
    #expect(await tokens(after: TestFailure(.permanent, isAnswer: true)) == 9)
    #expect(await tokens(after: TestFailure(.transient, isAnswer: true)) == 9, "one less for 503, one more for 200")
  }

  @Test func `a failure without a path takes nothing, whatever the error says, unless it is an answer`() async {
    let budget = RetryBudget(capacity: 10, refill: 0)
    let script = PathScript(.online())
    let monitor = PathMonitor(source: .scripted(script))
    for failure in [TestFailure(.transient), TestFailure(.timedOut), .offline] {
      let policy = RetryPolicy.plain(9).with { policy in
        policy.budget = budget
        policy.reconnection.spread = .zero
      }
      try? await retry(policy, on: monitor, clock: clock) { _ in
        script.send(.online())
      } operation: { attempt in
        guard attempt.callCount == 1 else { return }
        script.send(.offline)
        throw failure
      }
      #expect(budget.tokens == 10)
    }
    _ = try? await retry(.once.with { $0.budget = budget }, on: monitor, clock: clock) { _ in
      script.send(.offline)
      throw TestFailure(.transient, isAnswer: true)
    }
    #expect(budget.tokens == 9)
  }

  @Test func `a server that hangs until the total time is over has failed`() async {
    let clock = ManualClock()
    let policy = RetryPolicy.plain(timeout: .seconds(5)).with { $0.budget = budget }
    let task = Task {
      try await retry(policy, clock: clock) { _ in try await ManualClock().sleep(for: .seconds(1)) }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    await #expect(throws: RetryInterruption.self) { try await task.value }
    #expect(budget.tokens == 9)
  }

  @Test func `a retry that waits for its path holds nothing of the server`() async throws {
    let waits = AsyncStream.makeStream(of: Void.self)
    let offline = PathMonitor(source: .scripted(PathScript(.offline)))
    let waiting = Task {
      try await retry(.plain().with { $0.budget = budget }, on: offline, clock: ManualClock()) { _ in
        waits.continuation.yield()
      } operation: { _ in
      }
    }
    for await _ in waits.stream { break }
    var calls = 0
    try await retry(.plain().with { $0.budget = budget }, clock: clock) { _ in
      calls += 1
      if calls < 3 { throw TestFailure.transient }
    }
    #expect(calls == 3 && budget.tokens == 9)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `a program has one budget for each server, however many there are`() {
    let budget = RetryBudget.shared(for: "Budget.example.org")
    budget.noteFailure()
    for number in 1...1_000 { _ = RetryBudget.shared(for: "\(number).example.org") }
    #expect(RetryBudget.shared(for: "budget.example.org") === budget)
    #expect(RetryBudget.shared(for: "budget.example.org:8443") !== budget)
  }

  @Test func `a thousand operations at a time succeed at a server that says when to try again`() async {
    let storm = RetryBudget()
    let busy = TestFailure(.transient, isAnswer: true, retryAfter: .seconds(1))
    func succeeds() async -> Bool {
      var left = 4
      let result: Void? = try? await retry(.plain(5).with { $0.budget = storm }, clock: SkippingClock()) { _ in
        left -= 1
        if left >= 0 { throw busy }
      }
      return result != nil
    }
    let successes = await withTaskGroup(of: Bool.self) { group in
      for _ in 1...1_000 { group.addTask { await succeeds() } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(successes == 1_000 && storm.tokens == 20)
    for retryAfter in [Duration.zero, .seconds(-1)] {
      let now = TestFailure(.transient, isAnswer: true, retryAfter: retryAfter)
      #expect(await tokens(after: now, policy: .plain(1)) < 10, "a server that names no time takes a token")
    }
  }

  @Test func `the budgets of servers are forgotten, first those without failures, and never one that is held`() {
    var budgets = SharedBudgets()
    let held = budgets.budget(for: "held")
    budgets.budget(for: "failed").noteFailure()
    for number in 1...SharedBudgets.limit { _ = budgets.budget(for: "\(number)") }
    #expect(budgets.count < 10)
    #expect(budgets.budget(for: "held") === held)
    #expect(budgets.budget(for: "failed").tokens == 19, "a failing server is remembered")
    for number in 1...(3 * SharedBudgets.limit) { budgets.budget(for: "\(number)").noteFailure() }
    #expect(budgets.count <= SharedBudgets.limit && budgets.budget(for: "held") === held)
    let all = (1...(3 * SharedBudgets.limit)).map { budgets.budget(for: "held \($0)") }
    #expect(all.indices.allSatisfy { budgets.budget(for: "held \($0 + 1)") === all[$0] })
  }

  @Test func `budgets with invalid values allow nothing and do not trap`() {
    for budget in [RetryBudget(capacity: -5), RetryBudget(capacity: .nan, refill: .nan), RetryBudget(capacity: 0)] {
      budget.noteSuccess()
      #expect(!budget.allowsRetries && budget.tokens == 0)
    }
    #expect(RetryBudget(capacity: .infinity).allowsRetries)
  }
}

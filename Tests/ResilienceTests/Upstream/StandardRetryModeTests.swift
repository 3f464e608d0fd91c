import Resilience
import Testing

/// The test cases of the standard retry mode that all AWS SDKs share ("Retry Behavior 2.0"): retry quota and delays.
@Suite("The standard retry mode of the AWS SDKs")
struct StandardRetryModeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var tokens = 500
    var maximumAttempts = 3
    var cap = Duration.seconds(20)
    /// The statuses of the answers; 200 is a success.
    var answers: [Int]
    /// The tokens after each answer.
    var quota: [Double]
    var pauses: [Int]
    var end: RetryEnd

    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a retry succeeds", answers: [500, 500, 200], quota: [495, 490, 495], pauses: [1, 2], end: .succeeded),
    Case(
      name: "the attempts are exhausted", answers: [502, 502, 502], quota: [495, 490, 490], pauses: [1, 2],
      end: .attemptsExhausted),
    Case(
      name: "the quota is exhausted after one retry", tokens: 5, answers: [500, 502], quota: [0, 0], pauses: [1],
      end: .budgetExhausted),
    Case(name: "no quota at all", tokens: 0, answers: [500], quota: [0], pauses: [], end: .budgetExhausted),
    Case(
      name: "the pauses are exponential", maximumAttempts: 5, answers: [500, 500, 500, 500, 500],
      quota: [495, 490, 485, 480, 480], pauses: [1, 2, 4, 8], end: .attemptsExhausted),
    Case(
      name: "the pauses are capped", maximumAttempts: 5, cap: .seconds(3), answers: [500, 500, 500, 500, 500],
      quota: [495, 490, 485, 480, 480], pauses: [1, 2, 3, 3], end: .attemptsExhausted),
  ]

  @Test("the quota and the pauses are those of the table", arguments: cases)
  func standardMode(_ row: Case) async {
    let clock = SkippingClock()
    let health = ServerHealth(budget: .tokenBucket(tokens: row.tokens), breaker: nil)
    let ends = Record<RetryEnd>()
    let policy = RetryPolicy.plain(row.maximumAttempts).with { policy in
      policy.backoff.cap = row.cap
      policy.health = health
      policy.onEvent = { if case .ended(let end) = $0 { ends.append(end) } }
    }
    var quota: [Double] = []
    var answers = row.answers[...]
    try? await retry(policy, clock: clock) { attempt in
      if attempt.callCount > 1 { quota.append(health.budget?.tokens ?? -1) }
      if let status = answers.popFirst(), status != 200 { throw TestFailure(.transient) }
    }
    quota.append(health.budget?.tokens ?? -1)
    #expect(quota == row.quota)
    #expect(clock.sleeps == row.pauses.map { .seconds($0) })
    #expect(ends.all == [row.end])
    #expect(answers.isEmpty)
  }

  @Test func `a retry costs 5 tokens, after a timeout 10, and a success without a retry brings 1`() {
    var budget = RetryBudget.tokenBucket()
    let retry = budget.withdraw()
    #expect(budget.tokens == 495)
    let timeout = budget.withdraw(hasTimedOut: true)
    #expect(budget.tokens == 485)
    budget.requestSucceeded(after: timeout)
    #expect(budget.tokens == 495)
    budget.requestSucceeded(after: nil)
    #expect(budget.tokens == 496)
    budget.requestSucceeded(after: retry)
    #expect(budget.tokens == 500)
    budget.requestSucceeded(after: nil)
    #expect(budget.tokens == 500)
  }
}

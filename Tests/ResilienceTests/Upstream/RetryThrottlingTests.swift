import Testing

@testable import Resilience

/// The examples of gRPC's proposal A6, "gRPC Retry Design".
@Suite("Throttling and hedging of gRPC A6")
struct RetryThrottlingTests {
  /// `maxTokens` is 10 and `tokenRatio` 0.1 in the proposal: retries stop at five tokens.
  private var budget: RetryBudget { .throttling(maximumTokens: 10, tokenRatio: 0.1) }

  @Test func `each failure takes a token, and retries stop when half of them are left`() {
    var budget = budget
    var allowed: [Bool] = []
    for _ in 0..<6 {
      budget.attemptFailed()
      allowed.append(budget.withdraw() != nil)
    }
    #expect(allowed == [true, true, true, true, false, false])
    #expect(budget.tokens == 4)
  }

  @Test func `each success brings the ratio, and retries go on above half of the tokens`() {
    var budget = budget
    for _ in 0..<5 { budget.attemptFailed() }
    #expect(budget.withdraw() == nil)
    budget.requestSucceeded(after: nil)
    #expect(budget.tokens == 5.1)
    #expect(budget.withdraw() != nil)
  }

  @Test func `the tokens stay between zero and the largest number`() {
    var budget = budget
    budget.requestSucceeded(after: nil)
    #expect(budget.tokens == 10)
    for _ in 0..<20 { budget.attemptFailed() }
    #expect(budget.tokens == 0)
  }

  @Test(
    "a retry waits for a random part of min(initialBackoff · multiplier^(n-1), maxBackoff)",
    arguments: [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1_000), (6, 1_000)])
  func backoff(_ retry: Int, _ milliseconds: Int) {
    let backoff = Backoff(base: .milliseconds(100), factor: 2, cap: .seconds(1))
    var most = FixedGenerator.largest
    #expect(backoff.delay(beforeRetry: retry, using: &most) == .milliseconds(milliseconds))
  }

  // MARK: Hedging: four attempts, half a second apart

  private static let hedging = Hedging(delay: .milliseconds(500), maximumAttempts: 4)

  @Test func `after 1, 501, 1001 and 1501 ms there are one, two, three and four copies`() {
    var progress = HedgingProgress(Self.hedging)
    var running: [Int] = []
    for millisecond in [0, 1, 499, 501, 999, 1_001, 1_500, 1_501, 5_000] {
      _ = progress.timerFired(at: .milliseconds(millisecond)) { true }
      running.append(progress.running)
    }
    #expect(running == [1, 1, 1, 2, 2, 3, 3, 4, 4])
  }

  @Test func `a failure that is not fatal sends the next copy at once, and the delay begins anew`() {
    var progress = HedgingProgress(Self.hedging)
    #expect(progress.timerFired(at: .zero) { true } == .send)
    #expect(progress.attemptFailed(isFatal: false, pushback: nil, at: .milliseconds(100)) { true } == .send)
    #expect(progress.nextSend == .milliseconds(600))
  }

  @Test func `a fatal failure ends all copies`() {
    var progress = HedgingProgress(Self.hedging)
    #expect(progress.timerFired(at: .zero) { true } == .send)
    #expect(progress.timerFired(at: .milliseconds(500)) { true } == .send)
    #expect(progress.attemptFailed(isFatal: true, pushback: nil, at: .milliseconds(600)) { true } == .fail)
  }

  @Test func `a pushback moves the next copy`() {
    var progress = HedgingProgress(Self.hedging)
    #expect(progress.timerFired(at: .zero) { true } == .send)
    let action = progress.attemptFailed(isFatal: false, pushback: .seconds(2), at: .milliseconds(100)) { true }
    #expect(action == .none && progress.nextSend == .milliseconds(2_100))
    #expect(progress.timerFired(at: .milliseconds(2_100)) { true } == .send)
    #expect(progress.nextSend == .milliseconds(2_600))
  }

  @Test func `the first copy is always sent, and further ones while the throttling allows them`() {
    var progress = HedgingProgress(Self.hedging)
    #expect(progress.timerFired(at: .zero) { false } == .send)
    #expect(progress.timerFired(at: .milliseconds(500)) { false } == .none)
    #expect(progress.nextSend == nil && progress.running == 1)
    #expect(progress.attemptFailed(isFatal: false, pushback: nil, at: .seconds(1)) { false } == .fail)
  }

  @Test func `if all copies fail, the failure of the last one is thrown`() {
    var progress = HedgingProgress(Hedging(delay: .milliseconds(500), maximumAttempts: 2))
    #expect(progress.timerFired(at: .zero) { true } == .send)
    #expect(progress.timerFired(at: .milliseconds(500)) { true } == .send)
    #expect(progress.attemptFailed(isFatal: false, pushback: nil, at: .seconds(1)) { true } == .none)
    #expect(progress.attemptFailed(isFatal: false, pushback: nil, at: .seconds(2)) { true } == .fail)
  }
}

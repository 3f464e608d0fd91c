import Resilience
import Testing

/// The examples of gRPC's proposal A6, "gRPC Retry Design".
@Suite("Throttling of gRPC A6")
struct RetryThrottlingTests {
  /// `maxTokens` is 10 and `tokenRatio` 0.1 in the proposal: retries stop at five tokens.
  private let budget = RetryBudget(capacity: 10, refill: 0.1)

  @Test func `each failure takes a token, and retries stop when half of them are left`() {
    var allowed: [Bool] = []
    for _ in 0..<6 {
      budget.noteFailure()
      allowed.append(budget.allowsRetries)
    }
    #expect(allowed == [true, true, true, true, false, false])
    #expect(budget.tokens == 4)
  }

  @Test func `each success brings the ratio, and retries go on above half of the tokens`() {
    for _ in 0..<5 { budget.noteFailure() }
    #expect(!budget.allowsRetries)
    budget.noteSuccess()
    #expect(budget.tokens == 5.1)
    #expect(budget.allowsRetries)
  }

  @Test func `the tokens stay between zero and the largest number`() {
    budget.noteSuccess()
    #expect(budget.tokens == 10)
    for _ in 0..<20 { budget.noteFailure() }
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
}

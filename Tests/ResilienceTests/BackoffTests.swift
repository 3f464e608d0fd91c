import Resilience
import Testing

@Suite("Back-off")
struct BackoffTests {
  @Test(
    "the longest pause is base · factor^(retry - 1), at most the cap",
    arguments: [
      (Backoff(base: .seconds(1), cap: .seconds(20)), [1, 2, 4, 8, 16, 20, 20]),
      (Backoff(base: .seconds(3), factor: 2, cap: .seconds(1_000)), [3, 6, 12, 24]),
      (Backoff(base: .seconds(2), factor: 1), [2, 2, 2]), (Backoff(base: .seconds(8), factor: 0.5), [8, 4, 2, 1]),
      (.constant(.seconds(7)), [7, 7]), (.none, [0, 0]), (Backoff(base: .seconds(-1)), [0, 0]),
      (Backoff(base: .seconds(5), cap: .seconds(-1)), [0, 0]), (Backoff(base: .seconds(3), factor: .nan), [3, 3]),
      (Backoff(base: .seconds(40), cap: .seconds(30)), [30, 30]),
    ])
  func limits(_ backoff: Backoff, _ seconds: [Int]) {
    #expect(seconds.indices.map { backoff.limit(beforeRetry: $0 + 1) } == seconds.map { .seconds($0) })
  }

  @Test func `full jitter is between zero and the longest pause, both included`() {
    let backoff = Backoff(base: .seconds(1), cap: .seconds(4))
    var (least, most) = (FixedGenerator.smallest, FixedGenerator.largest)
    #expect(backoff.delay(beforeRetry: 3, using: &least) == .zero)
    #expect(backoff.delay(beforeRetry: 3, using: &most) == .seconds(4))
    var random = SystemRandomNumberGenerator()
    for retry in 1...200 {
      let delay = backoff.delay(beforeRetry: retry, using: &random)
      #expect((.zero...backoff.limit(beforeRetry: retry)).contains(delay))
    }
  }

  @Test func `without jitter nothing is drawn, and a zero base does not trap`() {
    var most = FixedGenerator.largest
    #expect(Backoff.none.delay(beforeRetry: 1, using: &most) == .zero)
    #expect(Backoff(base: .zero).delay(beforeRetry: .max, using: &most) == .zero)
    #expect(Backoff.standard.limit(beforeRetry: .max) == .seconds(30))
    let extreme = Backoff(base: .seconds(1), cap: Duration(secondsComponent: .max, attosecondsComponent: 0))
    #expect(extreme.delay(beforeRetry: 192, using: &most) <= extreme.cap)
    #expect(extreme.delay(beforeRetry: 193, using: &most) == extreme.delay(beforeRetry: 192, using: &most))
    #expect(Backoff(base: .seconds(1), cap: .seconds(Int64.max)).limit(beforeRetry: 20) == .seconds(524_288))
  }
}

import ConnectivityTesting
import Resilience
import Testing

@Suite("The minimum duration")
struct MinimumDurationTests {
  private let clock = ManualClock()

  @Test(arguments: [nil, TestFailure.transient])
  func `a result comes no sooner than after the minimum time`(failure: TestFailure?) async {
    let task = Task { () async -> Result<Int, TestFailure> in
      do throws(TestFailure) {
        return .success(
          try await withMinimumDuration(.milliseconds(500), clock: clock) { () async throws(TestFailure) in
            if let failure { throw failure }
            return 5
          })
      } catch { return .failure(error) }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(499))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await task.value == (failure.map { .failure($0) } ?? .success(5)))
  }

  @Test func `work that takes longer is not delayed`() async {
    await withMinimumDuration(.milliseconds(500), clock: clock) { clock.advance(by: .milliseconds(500)) }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a cancelled task has its result at once`() async {
    let task = Task { await withMinimumDuration(.milliseconds(500), clock: clock) { 5 } }
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(await task.value == 5)
  }
}

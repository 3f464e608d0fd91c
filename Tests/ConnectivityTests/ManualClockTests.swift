import ConnectivityTesting
import SystemIO
import Testing

@Suite("Manual clock")
struct ManualClockTests {
  @Test func `it stands still until it is moved, and wakes the sleepers that are due`() async throws {
    let clock = ManualClock()
    let order = AsyncStream.makeStream(of: Int.self)
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        order.continuation.yield(seconds)
      }
    }
    await clock.waitForSleepers(3)
    #expect(clock.now.offset == .zero)
    clock.advance(by: .seconds(1))
    var iterator = order.stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .seconds(2))
    #expect(clock.sleeperCount == 0)
    for task in tasks { try await task.value }
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `a moment that has passed is not waited for`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
  }

  @Test func `a cancelled task does not sleep`() async {
    let clock = ManualClock()
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers(1)
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    let early = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `it moves to the earliest deadline, and waits for one`() async throws {
    let clock = ManualClock()
    let moved = Task {
      await clock.advanceToNextSleeper()
      return clock.now.offset
    }
    let sleeping = Task { try await clock.sleep(for: .seconds(7)) }
    #expect(await moved.value == .seconds(7))
    try await sleeping.value
    let pair = [9, 20].map { seconds in Task { try await clock.sleep(until: .init(offset: .seconds(seconds))) } }
    await clock.waitForSleepers(2)
    await clock.advanceToNextSleeper()
    #expect(clock.now.offset == .seconds(9) && clock.sleeperCount == 1)
    await clock.advanceToNextSleeper()
    #expect(clock.now.offset == .seconds(20))
    for task in pair { try await task.value }
  }

  @Test func `a sleeper is waited for by its deadline, whoever else sleeps`() async throws {
    let clock = ManualClock()
    let other = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.waitForSleepers(1)
    let waited = Task { await clock.waitForSleeper(until: .init(offset: .seconds(10))) }
    let sleeping = Task { try await clock.sleep(for: .seconds(10)) }
    await waited.value
    await clock.advanceToNextSleeper()
    try await sleeping.value
    #expect(clock.now.offset == .seconds(10) && clock.sleeperCount == 1)
    other.cancel()
  }

  @Test func `a cancelled test waits for no sleeper`() async {
    let clock = ManualClock()
    let waits = [
      Task { await clock.waitForSleepers(1) }, Task { await clock.waitForSleeper(until: .init(offset: .seconds(1))) },
      Task { await clock.advanceToNextSleeper() },
    ]
    for wait in waits { wait.cancel() }
    for wait in waits { await wait.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func `no time moves it by more than thirty years, as often as it comes`() {
    let clock = ManualClock()
    for _ in 0..<40 { clock.advance(by: .seconds(Int64.max)) }
    #expect(clock.now.offset == .seconds(40_000_000_000))
  }

  @Test func `a time limit that nobody has set is no sleeper, and passes with the time`() async throws {
    let clock = ManualClock()
    let limit = Task {
      try await ImpliedLimit.$isMark.withValue(true) { try await clock.sleep(for: .seconds(9)) }
    }
    await clock.waitForSleeper(until: .init(offset: .seconds(9)))
    #expect(clock.sleeperCount == 0)
    let moved = Task { await clock.advanceToNextSleeper() }
    let sleeping = Task { try await clock.sleep(for: .seconds(5)) }
    await moved.value
    try await sleeping.value
    #expect(clock.now.offset == .seconds(5))
    clock.advance(by: .seconds(4))
    try await limit.value
  }

  @Test func `a test that waits in vain ends with a message about the tasks that sleep`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let clock = ManualClock(patience: .milliseconds(10))
      let sleeping = Task { try await clock.sleep(for: .seconds(7)) }
      await clock.waitForSleepers(1)
      await clock.waitForSleepers(2)
      sleeping.cancel()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("until 2 tasks sleep. At 0.0 seconds of its own time, these do, until: 7.0 seconds."))
  }
}

import ConnectivityTesting
import Glibc
import Resilience
import Testing

/// A retry decides from the path, never from an error alone.
@Suite("Retries and the path")
struct RetryOnPathTests {
  private let script = PathScript(.online())
  private let clock = SkippingClock()

  private var monitor: PathMonitor { PathMonitor(source: .scripted(script)) }

  /// The number of calls of an operation that always fails.
  private func calls(_ policy: RetryPolicy, _ failure: TestFailure, on monitor: PathMonitor?) async -> Int {
    var calls = 0
    _ = try? await retry(policy, on: monitor, clock: clock) { _ in
      calls += 1
      throw failure
    }
    return calls
  }

  @Test(
    "an errno of a missing network on a path that is there is a failure as any other",
    arguments: [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EHOSTUNREACH])
  func presentPath(_ errno: Int32) async {
    let traits = FailureTraits(errno: errno)
    let failure = TestFailure(traits.kind, isUnsent: traits.isUnsent)
    #expect(await calls(.plain(3), failure, on: monitor) == 3)
    #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    #expect(await calls(.once, failure, on: monitor) == 1)
    let budget = RetryBudget(capacity: 4)
    #expect(await calls(.plain(9).with { $0.budget = budget }, failure, on: monitor) == 2)
  }

  @Test(
    "neither an answer nor work that may have reached the server is repeated because its path is gone since",
    arguments: [
      (RetryPolicy.once, TestFailure(.transient, isUnsent: true, isAnswer: true)), (.standard, .transient),
    ])
  func goneSince(_ policy: RetryPolicy, _ failure: TestFailure) async {
    let monitor = monitor
    var calls = 0
    _ = try? await retry(policy, on: monitor, clock: clock) { _ in
      calls += 1
      script.send(.offline)
      throw failure
    }
    #expect(calls == 1)
  }

  @Test func `an error of which nothing is known is explained by a path that is gone`() async throws {
    struct Other: Error {}
    let monitor = monitor
    let path = try await retry(.idempotent, on: monitor, clock: clock) { path in
      #expect(path.unsatisfiedReason == .noCarrier)
      script.send(.online(over: .wifi))
    } operation: { attempt in
      guard attempt.callCount == 1 else { return attempt.path }
      script.send(.offline(because: .noCarrier))
      throw Other()
    }
    #expect(path == .online(over: .wifi), "the attempt has its path")
  }

  @Test func `no attempt is made before the path is as required, and the reason of the wait is said`() async throws {
    script.send(.online(isExpensive: true))
    let policy = RetryPolicy.once.with { $0.reconnection.requirement = .unmetered }
    var reasons: [UnsatisfiedReason?] = []
    try await retry(policy, on: monitor, clock: clock) { path in
      reasons.append(path.unsatisfiedReason)
      script.send(.online())
    } operation: { attempt in
      #expect(reasons == [.requirementNotMet] && attempt.number == 1 && attempt.callCount == 1)
    }
  }

  @Test func `a policy without waits makes its attempt on any path`() async {
    script.send(.offline)
    var paths: [NetworkPath] = []
    _ = try? await retry(.never, on: monitor, clock: clock) { attempt in
      paths.append(attempt.path)
      throw TestFailure.offline
    }
    #expect(paths == [.offline] && clock.sleeps.isEmpty)
  }

  @Test func `the monitor of a retry has the present path, although nobody else follows it`() async throws {
    let monitor = monitor
    var paths: [NetworkPath] = []
    script.send(.offline)
    try await retry(.once, on: monitor, clock: clock) { _ in
      paths.append(monitor.currentPath)
      script.send(.online(over: .wifi))
    } operation: {
      paths.append(monitor.currentPath)
    }
    #expect(paths == [.offline, .online(over: .wifi)])
    #expect(script.subscriberCount == 0)
  }

  @Test func `a retry of a program that saves data waits for a path that is not constrained`() async throws {
    let monitor = monitor
    monitor.savesData = true
    let policy = RetryPolicy.plain(2).with {
      $0.reconnection = Reconnection(requirement: .unconstrained, spread: .zero)
    }
    var waits = 0
    try await retry(policy, on: monitor, clock: clock) { _ in
      waits += 1
      monitor.savesData = false
    } operation: { attempt in
      guard attempt.callCount == 1 else { return }
      monitor.savesData = true
      throw TestFailure.transient
    }
    #expect(waits == 2, "before the first attempt, and before the second")
  }

  // MARK: Return after a wait

  @Test func `an attempt after a wait begins when the path has been as required for a share of the spread`()
    async throws
  {
    let (clock, waits, monitor) = (ManualClock(), AsyncStream.makeStream(of: Void.self), monitor)
    script.send(.offline)
    let policy = RetryPolicy.once.with { $0.generator = FixedGenerator.largest }
    let task = Task {
      try await retry(policy, on: monitor, clock: clock) { _ in
        waits.continuation.yield()
      } operation: { _ in
        clock.now.offset
      }
    }
    for await _ in waits.stream { break }
    script.send(.online())
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1_999))
    // The path goes once more, so the time begins anew.
    script.send(.offline)
    while clock.sleeperCount > 0 { await Task.yield() }
    script.send(.online())
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1_999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await task.value == .milliseconds(3_999))
  }

  @Test func `retries inside retries all come back, however many there are`() async {
    let (waits, monitor) = (AsyncStream.makeStream(of: Void.self), monitor)
    script.send(.offline)
    let policy = RetryPolicy.plain().with { $0.reconnection.spread = .zero }
    let tasks = (0..<40).map { _ in
      Task {
        try await retry(policy, on: monitor) { _ in
          waits.continuation.yield()
        } operation: { _ in
          // Each operation is under way when the path goes again.
          waits.continuation.yield()
          while monitor.currentPath.status == .satisfied { await Task.yield() }
          return try await retry(policy, on: monitor) { _ in
            waits.continuation.yield()
          } operation: { _ in
            1
          }
        }
      }
    }
    var iterator = waits.stream.makeAsyncIterator()
    for path in [NetworkPath.online(), .offline, .online()] {
      for _ in tasks { await iterator.next() }
      script.send(path)
    }
    for task in tasks { await #expect(throws: Never.self) { try await task.value } }
  }

  // MARK: The time of an attempt

  /// An attempt that waits for a path inside, with four seconds of work before and after.
  @Test(arguments: [true, false])
  func `the time of an attempt stands still while the attempt waits for a path`(isInTime: Bool) async throws {
    let (clock, monitor) = (ManualClock(), monitor)
    script.send(.offline)
    let task = Task {
      try await retry(.plain(1, attemptTimeout: .seconds(8)), clock: clock) { _ in
        try await clock.sleep(until: .init(offset: .seconds(4)))
        _ = try await monitor.waitUntil(.connected, clock: clock)
        // Only the time of the attempt wakes this one.
        try await clock.sleep(for: .seconds(isInTime ? 3 : 1_000))
      }
    }
    // The work, and the time of the attempt.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(4))
    while script.subscriberCount == 0 || clock.sleeperCount > 0 { await Task.yield() }
    clock.advance(by: .seconds(86_400))
    script.send(.online())
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(isInTime ? 3 : 4))
    if isInTime { return try await task.value }
    let interruption = await #expect(throws: RetryInterruption.self) { try await task.value }
    #expect(interruption?.reason == .attemptTimedOut)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a retry whose time is over while it waits has sent nothing`() async {
    let (clock, waits, monitor) = (ManualClock(), AsyncStream.makeStream(of: Void.self), monitor)
    script.send(.offline(because: .noCarrier))
    let task = Task {
      try await retry(.plain(timeout: .seconds(5), attemptTimeout: .seconds(1)), on: monitor, clock: clock) { _ in
        waits.continuation.yield()
      } operation: { _ in
        Issue.record("it was called")
      }
    }
    for await _ in waits.stream { break }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    let interruption = await #expect(throws: RetryInterruption.self) { try await task.value }
    #expect(interruption?.reason == .timedOut && interruption?.failureTraits.isUnsent == true)
    #expect(interruption?.path == .offline(because: .noCarrier))
  }

  @Test func `a failure for lack of a path is thrown when the path does not come in time`() async {
    let (clock, waits, monitor) = (ManualClock(), AsyncStream.makeStream(of: Void.self), monitor)
    let task = Task {
      try await retry(.plain(timeout: .seconds(5)), on: monitor, clock: clock) { _ in
        waits.continuation.yield()
      } operation: { _ in
        script.send(.offline)
        throw TestFailure.offline
      }
    }
    for await _ in waits.stream { break }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    await #expect(throws: TestFailure.offline) { try await task.value }
  }

  // MARK: For newcomers

  @Test func `an operation needs no argument`() async throws {
    #expect(try await retry { 1 } == 1)
    var calls = 0
    try await retry(.plain(), on: monitor, clock: clock) {
      calls += 1
      if calls < 3 { throw TestFailure.transient }
    }
    #expect(calls == 3)
  }

  @Test func `a number of calls holds for any error, but a cancellation`() async {
    struct Other: Error {}
    var calls = 0
    let policy = RetryPolicy(maximumAttempts: 4)
    await #expect(throws: Other.self) {
      try await retry(policy, clock: clock) {
        calls += 1
        throw Other()
      }
    }
    #expect(calls == 4)
    #expect(await self.calls(policy, TestFailure(.permanent), on: nil) == 4)
    #expect(await self.calls(policy, TestFailure(.cancelled), on: nil) == 1)
    #expect(await self.calls(policy, TestFailure(.transient, retryAfter: .seconds(121)), on: nil) == 1)
  }
}

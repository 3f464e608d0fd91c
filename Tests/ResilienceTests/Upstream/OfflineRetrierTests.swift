import ConnectivityTesting
import Testing

@testable import Resilience

/// The seven cases of Alamofire's `OfflineRetrierTests`. Its monitor starts with the first waiting request and stops
/// with the last; here that is the subscription to the script. Its requests fail before they wait; here requests
/// without a path wait before they are made, and only the first of them fails on a path that goes meanwhile.
@Suite("The cases of Alamofire's OfflineRetrier")
struct OfflineRetrierTests {
  private let script = PathScript(.online())
  private let clock = ManualClock()
  private var monitor: PathMonitor { PathMonitor(source: .scripted(script)) }

  private func policy(maximumWait: Duration) -> RetryPolicy {
    RetryPolicy(isIdempotent: true, timeout: maximumWait, reconnection: Reconnection(spread: .zero))
  }

  /// A request that fails the first time, if there is a failure, and takes the path with it.
  private func request(
    _ policy: RetryPolicy, _ failure: TestFailure?, on monitor: PathMonitor, _ waits: AsyncStream<Void>.Continuation
  ) async throws(TestFailure) -> Int {
    try await retry(policy, on: monitor, clock: clock) { _ in
      waits.yield()
    } operation: { attempt throws(TestFailure) in
      guard let failure, attempt.callCount == 1 else { return attempt.callCount }
      if failure == .offline { script.send(.offline) }
      throw failure
    }
  }

  /// Starts requests that wait for the path, and waits until all of them do.
  private func waiting(
    _ count: Int, maximumWait: Duration, after failure: TestFailure? = nil, on monitor: PathMonitor
  ) async -> [Task<Result<Int, TestFailure>, Never>] {
    let (waits, continuation) = AsyncStream.makeStream(of: Void.self)
    if failure == nil { script.send(.offline) }
    let tasks = (0..<count).map { _ in
      Task { () async -> Result<Int, TestFailure> in
        do throws(TestFailure) {
          return .success(try await request(policy(maximumWait: maximumWait), failure, on: monitor, continuation))
        } catch { return .failure(error) }
      }
    }
    var iterator = waits.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    return tasks
  }

  private func hasStopped() async {
    while script.subscriberCount > 0 || clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test func `a request is retried when the path is back, with two attempts in all`() async {
    let monitor = monitor
    let tasks = await waiting(1, maximumWait: .seconds(10), after: .offline, on: monitor)
    script.send(.online())
    #expect(await tasks[0].value == .success(2))
    await hasStopped()
  }

  @Test func `a request is not retried when the error is not one of being offline`() async {
    let (_, continuation) = AsyncStream.makeStream(of: Void.self)
    let failure = TestFailure(.permanent)
    await #expect(throws: failure) {
      try await request(policy(maximumWait: .seconds(10)), failure, on: monitor, continuation)
    }
    await hasStopped()
  }

  @Test func `a request is not retried when the path comes too late, and the original error is thrown`() async {
    let monitor = monitor
    let tasks = await waiting(1, maximumWait: .milliseconds(1), after: .offline, on: monitor)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1))
    #expect(await tasks[0].value == .failure(.offline))
    script.send(.online())
    await hasStopped()
  }

  @Test func `several requests are retried by one subscription`() async {
    let monitor = monitor
    let tasks = await waiting(4, maximumWait: .seconds(10), on: monitor)
    #expect(script.subscriberCount == 1)
    script.send(.online())
    for task in tasks { #expect(await task.value == .success(1)) }
    await hasStopped()
  }

  @Test func `a second set of requests is retried as the first was`() async {
    let monitor = monitor
    for _ in 0..<2 {
      let tasks = await waiting(4, maximumWait: .seconds(10), on: monitor)
      script.send(.online())
      for task in tasks { #expect(await task.value == .success(1)) }
    }
    await hasStopped()
  }

  @Test func `several requests time out`() async {
    let monitor = monitor
    let tasks = await waiting(4, maximumWait: .milliseconds(10), on: monitor)
    await clock.waitForSleepers(4)
    clock.advance(by: .milliseconds(10))
    for task in tasks {
      #expect(await task.value == .failure(TestFailure(RetryInterruption(.timedOut, isUnsent: true))))
    }
    await hasStopped()
  }

  @Test func `a policy that no request uses follows nothing`() async {
    do { _ = policy(maximumWait: .seconds(100)) }
    #expect(script.subscriberCount == 0)
  }
}

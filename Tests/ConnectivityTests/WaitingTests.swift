import Connectivity
import ConnectivityTesting
import Testing

@testable import ConnectivityCore

@Suite("Waiting for a path")
struct WaitingTests {
  private func stage(_ path: NetworkPath?) -> (PathScript, PathMonitor, ManualClock) {
    let (script, monitor) = scripted(path)
    return (script, monitor, ManualClock())
  }

  /// Waits until so many monitors follow the script.
  private func wait(for script: PathScript, subscribers: Int = 1) async {
    while script.subscriberCount < subscribers { await Task.yield() }
  }

  private let begun = AsyncStream.makeStream(of: Void.self)

  /// Begins, and goes on until the task is cancelled.
  private func hang() async throws {
    begun.continuation.yield()
    try await ManualClock().sleep(for: .seconds(1))
  }

  @Test func `a path that is as required is returned at once`() async throws {
    let (script, monitor, clock) = stage(.online())
    #expect(try await monitor.waitUntil(.connected, clock: clock) == .online())
    #expect(clock.sleeperCount == 0)
    while script.subscriberCount > 0 { await Task.yield() }
  }

  @Test func `a path that is as required is returned however little time there is`() async throws {
    for _ in 0..<5_000 {
      #expect(try await stage(.online()).1.waitUntil(.connected, timeout: .zero, clock: ManualClock()) == .online())
    }
  }

  @Test func `a timer event that was taken back before it was read is void`() async {
    let clock = ManualClock()
    for _ in 0..<100 {
      let script = PathScript(.online())
      let paths = TimedPaths(PathMonitor(source: .scripted(script)), clock: clock)
      guard case .path = await paths.next() else {
        Issue.record("the path comes first")
        return
      }
      paths.setTimer(clock.now)
      // The event of the timer waits to be read now.
      for _ in 0..<50 { await Task.yield() }
      paths.setTimer(nil)
      script.send(.offline)
      guard case .path(.offline) = await paths.next() else {
        Issue.record("a moment was told that had been taken back")
        return
      }
      paths.setTimer(clock.now)
      guard case .time = await paths.next() else {
        Issue.record("a moment that counts is told")
        return
      }
      paths.stop()
    }
  }

  @Test func `a path is waited for until it is as required`() async throws {
    let (script, monitor, clock) = stage(.unknown)
    let waiting = Task { try await monitor.waitUntil(.unmetered, timeout: .seconds(10), clock: clock) }
    await clock.waitForSleepers(1)
    for path in [NetworkPath.offline, .online(over: .cellular)] { script.send(path) }
    clock.advance(by: .seconds(9))
    script.send(.online(over: .wifi))
    #expect(try await waiting.value == .online(over: .wifi))
    while clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test func `after the timeout the error has the requirement and the path`() async throws {
    let (script, monitor, clock) = stage(.offline)
    let waiting = Task { try await monitor.waitUntil(.unmetered, timeout: .seconds(10), clock: clock) }
    await clock.waitForSleepers(1)
    await wait(for: script)
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: PathUnavailableError.self) { try await waiting.value }
    #expect(error == PathUnavailableError(.timedOut, requirement: .unmetered, path: .offline))
    #expect(error?.description.contains("unmetered") == true)
  }

  @Test func `a cancelled task waits no longer, and leaves nothing behind`() async {
    let (script, monitor, clock) = stage(.offline)
    let waiting = Task { try await monitor.waitUntil(.connected, timeout: .seconds(10), clock: clock) }
    await clock.waitForSleepers(1)
    await wait(for: script)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    while clock.sleeperCount > 0 || script.subscriberCount > 0 { await Task.yield() }
  }

  @Test func `many wait for one path, each for its own requirement`() async throws {
    let (script, monitor, clock) = stage(.offline)
    let waiting = [PathRequirement.connected, .wifi, .offline].map { requirement in
      Task { try await monitor.waitUntil(requirement, timeout: .seconds(5), clock: clock) }
    }
    #expect(try await waiting[2].value == .offline)
    await clock.waitForSleepers(2)
    script.send(.online())
    #expect(try await waiting[0].value == .online())
    script.send(.online(over: .wifi))
    #expect(try await waiting[1].value == .online(over: .wifi))
  }

  @Test func `the body runs with the path, and its value is returned`() async throws {
    let (script, monitor, clock) = stage(.offline)
    let working = Task { try await monitor.withPath(.connected, clock: clock) { $0.interfaceType } }
    await wait(for: script)
    script.send(.online(over: .wifi))
    #expect(try await working.value == .wifi)
  }

  @Test func `losing the path for longer than the grace period cancels the body`() async throws {
    let (script, monitor, clock) = stage(.online())
    let working = Task {
      try await monitor.withPath(.connected, onLoss: .cancel(after: .seconds(2)), clock: clock) { _ in
        try await hang()
      }
    }
    _ = await begun.stream.first { true }
    await wait(for: script, subscribers: 1)
    script.send(.offline)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    let error = await #expect(throws: PathUnavailableError.self) { try await working.value }
    #expect(error?.reason == .lost)
    #expect(error?.path == .offline)
  }

  @Test func `neither a short loss nor an unknown path cancels anything`() async throws {
    let (script, monitor, clock) = stage(.online())
    let (ends, ending) = AsyncStream.makeStream(of: Int.self)
    let working = Task {
      try await monitor.withPath(.connected, onLoss: .cancel(after: .seconds(2)), clock: clock) { _ in
        begun.continuation.yield()
        return await ends.first { _ in true }
      }
    }
    _ = await begun.stream.first { true }
    await wait(for: script)
    script.send(.offline)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    script.send(.online(over: .wifi))
    // The timer is taken back as soon as the watching task has seen the path.
    while clock.sleeperCount > 0 { await Task.yield() }
    script.lose()
    clock.advance(by: .seconds(100))
    ending.yield(7)
    #expect(try await working.value == 7)
  }

  @Test func `work that ignores losses goes on`() async throws {
    let (script, monitor, clock) = stage(.online())
    let value = try await monitor.withPath(.connected, onLoss: .ignore, clock: clock) { _ in
      script.send(.offline)
      return clock.sleeperCount
    }
    #expect(value == 0)
  }

  @Test func `an error of the body is thrown, and a body that is done in spite of a loss counts`() async throws {
    struct Problem: Error {}
    let (script, monitor, clock) = stage(.online())
    await #expect(throws: Problem.self) {
      try await monitor.withPath(.connected, clock: clock) { _ in throw Problem() }
    }
    let working = Task {
      try await monitor.withPath(.connected, onLoss: .cancel(after: .seconds(1)), clock: clock) { _ in
        try? await hang()
        return "done"
      }
    }
    _ = await begun.stream.first { true }
    await wait(for: script)
    script.send(.offline)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(try await working.value == "done")
  }

  @Test func `cancelling the task cancels the body`() async {
    let (_, monitor, clock) = stage(.online())
    let working = Task {
      try await monitor.withPath(.connected, clock: clock) { _ in
        try await hang()
      }
    }
    _ = await begun.stream.first { true }
    working.cancel()
    await #expect(throws: CancellationError.self) { try await working.value }
  }

  /// State of the main actor that work changes.
  @MainActor
  private final class Page {
    var titles: [String] = []

    func load(_ monitor: PathMonitor, _ clock: ManualClock, onLoss: PathLossReaction) async throws -> Int {
      try await monitor.withPath(.connected, onLoss: onLoss, clock: clock) { path in
        MainActor.assertIsolated()
        titles.append(path.interfaces[0].name)
        await Task.yield()
        MainActor.assertIsolated()
        return titles.count
      }
    }
  }

  @Test(arguments: [PathLossReaction.standard, .ignore])
  func `the body runs in the isolation of the caller, and uses its state`(onLoss: PathLossReaction) async throws {
    let (_, monitor, clock) = stage(.online())
    let page = await MainActor.run { Page() }
    #expect(try await page.load(monitor, clock, onLoss: onLoss) == 1)
    #expect(await page.titles == ["eth0"])
  }

  @Test func `the body may change state of the caller, and has ended when its value is there`() async throws {
    let (_, monitor, clock) = stage(.online())
    var names: [String] = []
    for number in 0..<1_000 {
      try await monitor.withPath(.connected, clock: clock) { path in
        if number % 3 == 0 { await Task.yield() }
        names.append(path.interfaces[0].name)
      }
    }
    #expect(names.count == 1_000)
  }

  @Test func `nothing is followed any more when the body has ended`() async throws {
    let (script, monitor, clock) = stage(.online())
    try await monitor.withPath(.connected, clock: clock) { _ in }
    while script.subscriberCount > 0 { await Task.yield() }
    #expect(clock.sleeperCount == 0)
  }
}

import ConnectivityTesting
import Resilience
import Testing

@Suite("Work while there is a path", .timeLimit(.minutes(1)))
struct WhilePathTests {
  private let script = PathScript(.offline)
  private let clock = ManualClock()
  private let events = AsyncStream.makeStream(of: String.self)
  private var monitor: PathMonitor { PathMonitor(source: .scripted(script)) }

  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  /// Works until it is cancelled.
  private func work(isLoop: Bool = false) async throws {
    events.continuation.yield("begun")
    do {
      try await clock.sleep(for: .seconds(1_000))
    } catch {
      events.continuation.yield("cancelled")
      // A loop over a sequence ends without an error when it is cancelled.
      if !isLoop { throw error }
    }
  }

  @Test(arguments: [false, true])
  func `work runs while the path is as required, ends when it is not, and runs again`(isLoop: Bool) async {
    let monitor = monitor
    let task = Task {
      try await monitor.whilePath(.unmetered, onLoss: .cancel(after: .zero), clock: clock) {
        try await work(isLoop: isLoop)
      }
    }
    var events = events.stream.makeAsyncIterator()
    for _ in 0..<3 {
      script.send(.online(over: .wifi))
      #expect(await events.next() == "begun")
      script.send(.online(over: .cellular))
      #expect(await events.next() == "cancelled")
    }
    script.send(.online(over: .wifi))
    #expect(await events.next() == "begun")
    task.cancel()
    #expect(await events.next() == "cancelled")
    await #expect(throws: CancellationError.self) { try await task.value }
    while script.subscriberCount > 0 || clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test func `work begins anew when the path leads another way, and not for an equal path or another change`() async {
    let monitor = monitor
    let task = Task {
      try await monitor.whilePath(.connected, onLoss: .ignore, restartingOn: .source, clock: clock) { try await work() }
    }
    var events = events.stream.makeAsyncIterator()
    script.send(.online(over: .wifi))
    #expect(await events.next() == "begun")
    script.send(.offline)
    script.send(.online(over: .wifi, isExpensive: true))
    script.send(.online(over: .wifi))
    for type in [InterfaceType.cellular, .wiredEthernet, .wifi] {
      script.send(.online(over: type))
      #expect(await events.next() == "cancelled")
      #expect(await events.next() == "begun")
    }
    task.cancel()
    #expect(await events.next() == "cancelled")
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  static let selections: [(PathChanges, Bool)] = [
    (.interface, true), (.gateway, false), (.better, true), ([.gateway, .addresses], true), ([], false),
  ]

  @Test(arguments: selections)
  func `only the changes that were asked for begin the work anew`(changes: PathChanges, isRestart: Bool) async {
    let monitor = monitor
    let task = Task {
      try await monitor.whilePath(.connected, onLoss: .cancel(after: .seconds(10)), restartingOn: changes, clock: clock)
      {
        try await work()
      }
    }
    var events = events.stream.makeAsyncIterator()
    script.send(.online(over: .cellular))
    #expect(await events.next() == "begun")
    // A loss sets a timer, and its end removes the timer: so it is known that the change has been read.
    script.send(.offline)
    await until { clock.sleeperCount > 1 }
    script.send(.online(over: .wifi))
    if !isRestart {
      await until { clock.sleeperCount < 2 }
      script.send(.offline)
      await until { clock.sleeperCount > 1 }
      clock.advance(by: .seconds(10))
    }
    #expect(await events.next() == "cancelled")
    if !isRestart { script.send(.online(over: .wifi)) }
    #expect(await events.next() == "begun")
    task.cancel()
    #expect(await events.next() == "cancelled")
    await #expect(throws: CancellationError.self) { try await task.value }
    self.events.continuation.finish()
    #expect(await events.next() == nil, "it was begun once more")
  }

  @Test func `work that ends by itself is not run again, and its error is thrown`() async throws {
    let monitor = monitor
    script.send(.online())
    var runs = 0
    try await monitor.whilePath(.connected, clock: clock) { runs += 1 }
    await #expect(throws: TestFailure.transient) {
      try await monitor.whilePath(.connected, clock: clock) {
        runs += 1
        throw TestFailure.transient
      }
    }
    #expect(runs == 2)
  }

  @Test func `a task that is cancelled while there is no path runs nothing`() async {
    let monitor = monitor
    let task = Task { try await monitor.whilePath(.connected, clock: clock) { Issue.record("it ran") } }
    while script.subscriberCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an error of the body for a path of its own is thrown`() async {
    let monitor = monitor
    script.send(.online())
    let error = PathUnavailableError(.lost, requirement: .wifi, path: .offline)
    await #expect(throws: error) { try await monitor.whilePath(.connected, clock: clock) { throw error } }
  }
}

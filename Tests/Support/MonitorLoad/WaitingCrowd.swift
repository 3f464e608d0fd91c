import Connectivity
import ConnectivityTesting
import Foundation
import SystemIO

/// Tasks that wait for a path at the same time, while a script sends flat out. A third of them wait for a path that
/// comes, a third for one that never comes, and a third until they are cancelled. Each ends as it should.
struct WaitingCrowd: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// All wait on one monitor.
    case together
    /// Each has a monitor of its own.
    case apart
  }

  private let kind: Kind
  private let count: Int
  private let script = PathScript(.offline)
  private let clock = ManualClock()
  private let watchdog = Watchdog()

  init(_ kind: Kind, count: Int) {
    (self.kind, self.count) = (kind, count)
  }

  func run() async {
    let shared = PathMonitor(source: .scripted(script))
    let tasks = (0..<count).map { number in
      let monitor = kind == .together ? shared : PathMonitor(source: .scripted(script))
      return Task {
        defer { watchdog.step() }
        return try await monitor.waitUntil(
          number % 3 == 0 ? .wifi : .cellular, timeout: number % 3 == 1 ? .seconds(1) : nil, clock: clock)
      }
    }
    await clock.waitForSleepers((count + 1) / 3)
    let isOver = Guarded(false)
    Thread.detachNewThread { [script] in
      while !isOver.copy {
        script.send(.online(over: .wifi))
        script.send(.offline)
      }
    }
    clock.advance(by: .seconds(1))
    for number in tasks.indices where number % 3 == 2 { tasks[number].cancel() }
    for (number, task) in tasks.enumerated() { check(number, await task.result) }
    isOver.withLock { $0 = true }
    watchdog.end()
    precondition(clock.sleeperCount == 0, "\(clock.sleeperCount) timers are left")
  }

  private func check(_ number: Int, _ result: Result<NetworkPath, any Error>) {
    switch (number % 3, result) {
    case (0, .success(let path)): precondition(path.usesInterfaceType(.wifi), "\(path)")
    case (1, .failure(let error as PathUnavailableError)): precondition(error.reason == .timedOut, "\(error)")
    case (2, .failure(is CancellationError)): break
    default: preconditionFailure("wait \(number): \(result)")
    }
  }
}

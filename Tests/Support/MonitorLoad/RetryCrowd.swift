import Connectivity
import Resilience
import SystemIO

/// Retries that all connect to one server, on the path of the network namespace in which the program runs.
///
/// It prints `path STATUS CALLS BUDGET` for each path, with the number of calls of the operations until then, and
/// `waiting` once all of them wait for a path. In the end it prints `done CALLS`.
struct RetryCrowd: Sendable {
  private let count: Int
  private let address: String
  private let port: UInt16
  private let policy: RetryPolicy
  private let budget = RetryBudget()
  private let monitor = PathMonitor(settle: .zero)
  private let calls = Guarded(0)
  private let waits = Guarded(0)

  init(count: Int, address: String, port: UInt16) {
    (self.count, self.address, self.port) = (count, address, port)
    policy = RetryPolicy(isIdempotent: true, budget: budget)
  }

  func run() async throws {
    // A retry waits only so long for the first path, which may take longer on a busy machine.
    for await path in monitor where path.knowledge == .known { break }
    let watching = Task {
      for await path in monitor { report(path) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { try await connect() } }
      try await group.waitForAll()
    }
    watching.cancel()
    MonitorLoad.say("done \(calls.copy)")
  }

  private func report(_ path: NetworkPath) {
    let words = budget.tokens == RetryBudget().tokens ? "full" : "\(budget.tokens)"
    MonitorLoad.say("path \(path.unsatisfiedReason?.rawValue ?? "satisfied") \(calls.copy) \(words)")
  }

  private func connect() async throws {
    try await retry(policy, on: monitor) { _ in
      let waits = waits.withLock { waits in
        waits += 1
        return waits
      }
      if waits == count { MonitorLoad.say("waiting") }
    } operation: { _ in
      calls.withLock { $0 += 1 }
      do {
        let socket = try InternetSocket.connect(to: address, port: port)
        try InternetSocket.waitForConnection(of: socket.number)
      } catch let error as SystemError {
        throw ConnectionError(errorNumber: error.errorNumber)
      }
    }
  }
}

private struct ConnectionError: FailureTraitsProviding {
  var errorNumber: Int32
  var failureTraits: FailureTraits { FailureTraits(errno: errorNumber) }
}

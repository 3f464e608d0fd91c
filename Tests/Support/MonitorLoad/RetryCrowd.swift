import Connectivity
import Resilience
import SystemIO

/// Retries that all connect to one server, on the path of the network namespace in which the program runs.
///
/// It prints `path STATUS CALLS CIRCUIT` for each path, with the number of calls of the operations until then, and
/// `waiting` once all of them wait for a path. In the end it prints `done CALLS MOST`, with the largest number of
/// operations under way at a time after the wait.
struct RetryCrowd: Sendable {
  private struct Calls {
    var count = 0
    var waits = 0
    var underWay = 0
    var most = 0
  }

  private let count: Int
  private let address: String
  private let port: UInt16
  private let policy: RetryPolicy
  private let monitor = PathMonitor(settle: .zero)
  private let calls = Guarded(Calls())

  init(count: Int, cap: Int, address: String, port: UInt16) {
    (self.count, self.address, self.port) = (count, address, port)
    var policy = RetryPolicy.idempotent
    policy.health = ServerHealth()
    policy.reconnection = Reconnection(spread: .milliseconds(100), maximumConcurrent: cap)
    self.policy = policy
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
    let calls = calls.copy
    MonitorLoad.say("done \(calls.count) \(calls.most)")
  }

  private func report(_ path: NetworkPath) {
    let circuit = policy.health?.circuit == .closed ? "closed" : "not closed"
    MonitorLoad.say("path \(path.unsatisfiedReason?.rawValue ?? "satisfied") \(calls.copy.count) \(circuit)")
  }

  private func connect() async throws {
    try await retry(policy, on: monitor) { _ in
      let waits = calls.withLock { calls in
        calls.waits += 1
        return calls.waits
      }
      if waits == count { MonitorLoad.say("waiting") }
    } operation: { attempt in
      let isAfterWait = attempt.callCount > 1
      calls.withLock { calls in
        calls.count += 1
        if isAfterWait { calls.underWay += 1 }
        calls.most = max(calls.most, calls.underWay)
      }
      defer { if isAfterWait { calls.withLock { $0.underWay -= 1 } } }
      do {
        let socket = try InternetSocket.connect(to: address, port: port)
        try InternetSocket.waitForConnection(of: socket.number)
      } catch let error as SystemError {
        throw ConnectionError(errorNumber: error.errorNumber)
      }
      // Others may begin meanwhile.
      for _ in 0..<10 { await Task.yield() }
    }
  }
}

private struct ConnectionError: FailureTraitsProviding {
  var errorNumber: Int32
  var failureTraits: FailureTraits { FailureTraits(errno: errorNumber) }
}

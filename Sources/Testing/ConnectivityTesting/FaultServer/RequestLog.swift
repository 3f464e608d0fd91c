internal import SystemIO

/// The counters of a server, and the tasks that wait for them.
final class RequestLog: Sendable {
  /// The counters as a value.
  struct Counts: Sendable {
    var requests: [FaultRequest] = []
    var abandoned: [FaultRequest] = []
    var connectionCount = 0
    /// The number of requests by their target.
    var numbers: [String: Int] = [:]

    func requestCount(to path: String?) -> Int { Self.count(requests, path) }
    func abandonedCount(of path: String?) -> Int { Self.count(abandoned, path) }

    private static func count(_ requests: [FaultRequest], _ path: String?) -> Int {
      path.map { path in requests.count { $0.path == path } } ?? requests.count
    }
  }

  typealias Condition = @Sendable (Counts) -> Bool

  private struct Waiter {
    var condition: Condition
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var counts = Counts()
    var isClosed = false
    var waiters: [Int: Waiter] = [:]
    /// Waiters that were cancelled before they waited.
    var cancelled: Set<Int> = []
    var nextWaiter = 0
  }

  private let state = Guarded(State())

  var requests: [FaultRequest] { state.withLock { $0.counts.requests } }
  var connectionCount: Int { state.withLock { $0.counts.connectionCount } }
  func requestCount(to path: String?) -> Int { state.withLock { $0.counts.requestCount(to: path) } }
  func abandonedCount(of path: String?) -> Int { state.withLock { $0.counts.abandonedCount(of: path) } }

  /// Counts a connection.
  func noteConnection() { change { $0.connectionCount += 1 } }

  /// Numbers a request and adds it.
  func number(_ request: FaultRequest) -> FaultRequest {
    var request = request
    change { counts in
      counts.numbers[request.target, default: 0] += 1
      request.number = counts.numbers[request.target, default: 1]
      counts.requests.append(request)
    }
    return request
  }

  /// Counts a request whose client did not wait for the answer.
  func noteAbandoned(_ request: FaultRequest) { change { $0.abandoned.append(request) } }

  /// Releases all who wait.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    ForeignCode.run { for (_, waiter) in waiters { waiter.continuation.resume(returning: false) } }
  }

  private func change(_ body: (inout Counts) -> Void) {
    let content = state.withLock { state in
      body(&state.counts)
      let content = state.waiters.filter { $0.value.condition(state.counts) }
      for number in content.keys { state.waiters[number] = nil }
      return content
    }
    ForeignCode.run { for (_, waiter) in content { waiter.continuation.resume(returning: true) } }
  }

  /// Waits until the condition holds, which is code of this module.
  func wait(until condition: @escaping Condition) async -> Bool {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if condition(state.counts) { return true }
          if state.isClosed || state.cancelled.remove(number) != nil { return false }
          state.waiters[number] = Waiter(condition: condition, continuation: continuation)
          return nil
        }
        if let answer { ForeignCode.run { continuation.resume(returning: answer) } }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.cancelled.insert(number) }
        return waiter
      }
      ForeignCode.run { waiter?.continuation.resume(returning: false) }
    }
  }
}

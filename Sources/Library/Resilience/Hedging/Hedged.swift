internal import SystemIO

/// Sends further copies of a request that is slow, and returns the first answer.
///
/// The operation must be idempotent: several copies of it run at the same time, and all but one are cancelled. A copy
/// that fails is followed by the next one at once, or after the time for which the server asks; if the failure is
/// permanent, it is thrown.
///
/// ```swift
/// let hedging = Hedging(delay: .milliseconds(500))
/// let page = try await hedged(hedging, health: .shared(for: "api.example.org")) { attempt in
///   try await client.page(attempt: attempt.number)
/// }
/// ```
///
/// Inside the operation of a `retry`, all copies are one attempt.
///
/// - Parameters:
///   - hedging: The times of the copies.
///   - health: The health of the server, whose budget pays for each copy but the first; `nil` for no limit.
///   - clock: The clock that measures the delay.
///   - judge: Finds the traits of an error.
///   - operation: The work.
/// - Returns: The first value.
/// - Throws: The last error when all copies have failed; the first permanent one at once.
public func hedged<Value: Sendable, C: Clock>(
  _ hedging: Hedging, health: ServerHealth? = nil, clock: C = ContinuousClock(),
  judge: @escaping @Sendable (any Error) -> FailureTraits = { FailureTraits(of: $0) },
  operation: @escaping @Sendable (RetryAttempt) async throws -> Value
) async throws -> Value where C.Duration == Duration {
  let start = clock.now
  func elapsed() -> Duration { start.duration(to: clock.now) }
  func isAllowed() -> Bool { health?.withdraw(hasTimedOut: false).isAllowed ?? true }
  return try await withThrowingTaskGroup(of: HedgingEvent<Value>.self) { group in
    defer { group.cancelAll() }
    var progress = HedgingProgress(hedging)
    var timer: Duration?
    var action = progress.timerFired(at: .zero, isAllowed: isAllowed)
    var last: (any Error)?
    while true {
      switch action {
      case .none: break
      case .fail: throw last ?? CancellationError()
      case .send:
        let attempt = RetryAttempt(number: progress.sent, callCount: progress.sent)
        group.addTask {
          do { return .ended(.success(try await operation(attempt))) } catch { return .ended(.failure(error)) }
        }
      }
      if let next = progress.nextSend, next != timer {
        timer = next
        group.addTask {
          try? await clock.sleep(until: start.after(next), tolerance: nil)
          return .time
        }
      }
      guard let event = try await group.next() else { throw last ?? CancellationError() }
      switch event {
      case .ended(.success(let value)): return value
      case .ended(.failure(let error)):
        last = error
        let traits = ForeignCode.run { judge(error) }
        let isFatal = Task.isCancelled || [.permanent, .cancelled, .unknown].contains(traits.kind)
        action = progress.attemptFailed(
          isFatal: isFatal, pushback: traits.retryAfter, at: elapsed(), isAllowed: isAllowed)
      case .time: action = Task.isCancelled ? .none : progress.timerFired(at: elapsed(), isAllowed: isAllowed)
      }
    }
  }
}

private enum HedgingEvent<Value: Sendable>: Sendable {
  case ended(Result<Value, any Error>)
  case time
}

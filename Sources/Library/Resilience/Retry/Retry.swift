public import ConnectivityCore

/// Calls an operation when the path is as required, and calls it again when it fails and the policy says so.
///
/// ```swift
/// let page = try await retry(.idempotent, on: monitor) { attempt in
///   try await client.page(attempt: attempt.number)
/// }
/// ```
///
/// The operation runs in the isolation of the caller: called on the main actor, it can use the caller's state. If the
/// policy has a time limit, it runs in a task of its own, which is cancelled when the time is over; an operation that
/// ignores its cancellation delays the end.
///
/// - Parameters:
///   - policy: The rules. By default, only an operation that has surely sent nothing is called again.
///   - monitor: The monitor that delivers the path; `nil` to ignore the path. It is followed until the end, so that its
///     `currentPath` is fresh. If nobody else follows it, each retry asks its source anew.
///   - clock: The clock that measures all times.
///   - isolation: The actor that the operation runs on; the caller's by default.
///   - onWaiting: Called each time that a wait for a path begins, with the path, which is unsatisfied and has the
///     reason. It runs in the isolation of the caller, as `taskIsWaitingForConnectivity` reports it on Apple's
///     platforms.
///   - operation: The work.
/// - Returns: The value that the operation returns.
/// - Throws: The last error of the operation; ``RetryInterruption`` when an attempt was cut off, or when the time was
///   over before the first; `CancellationError` at once when the task is cancelled during a wait.
@_disfavoredOverload
public func retry<Value, C: Clock>(
  _ policy: RetryPolicy = .standard, on monitor: PathMonitor? = nil, clock: C = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, onWaiting: ((NetworkPath) -> Void)? = nil,
  operation: (RetryAttempt) async throws -> Value
) async throws -> Value where C.Duration == Duration {
  let run = RetryRun<C, any Error>(policy, on: monitor, clock: clock) { interruption -> any Error in
    if interruption.reason == .cancelled { CancellationError() } else { interruption }
  }
  return try await run.call(onWaiting: onWaiting, operation)
}

/// Calls an operation that does not ask which attempt it is.
///
/// ```swift
/// let page = try await retry { try await load() }
/// ```
///
/// It works as the `retry` whose operation gets the attempt: without a policy, most errors end it after one call.
@_disfavoredOverload
public func retry<Value, C: Clock>(
  _ policy: RetryPolicy = .standard, on monitor: PathMonitor? = nil, clock: C = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, onWaiting: ((NetworkPath) -> Void)? = nil,
  operation: () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  try await retry(policy, on: monitor, clock: clock, onWaiting: onWaiting) { _ in try await operation() }
}

/// Calls an operation with typed errors, and calls it again when it fails and the policy says so.
///
/// It works as the `retry` for any error, and throws only errors of the operation's own type:
///
/// ```swift
/// let page = try await retry(.idempotent, on: monitor) { _ throws(RequestFailure) in
///   try await session.data(for: request, requiring: .connected)
/// }
/// ```
///
/// - Parameters:
///   - policy: The rules.
///   - monitor: The monitor that delivers the path; `nil` to ignore the path.
///   - clock: The clock that measures all times.
///   - isolation: The actor that the operation runs on; the caller's by default.
///   - onWaiting: Called each time that a wait for a path begins, with the path.
///   - operation: The work.
/// - Returns: The value that the operation returns.
/// - Throws: The last error of the operation, or its error for an interruption.
public func retry<Value, Failure: InterruptibleFailure, C: Clock>(
  _ policy: RetryPolicy = .standard, on monitor: PathMonitor? = nil, clock: C = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, onWaiting: ((NetworkPath) -> Void)? = nil,
  operation: (RetryAttempt) async throws(Failure) -> Value
) async throws(Failure) -> Value where C.Duration == Duration {
  let run = RetryRun<C, Failure>(policy, on: monitor, clock: clock) { Failure($0) }
  return try await run.call(onWaiting: onWaiting, operation)
}

internal import ConnectivityCore

/// Calls the operation, and again as the policy says.
///
/// An operation without limits that succeeds at once costs little more than its call: this is for the row
/// `resilience-retry` of the benchmarks. A task that waits keeps the frames of all its functions. So this function
/// becomes a part of its callers, its errors have no generic type, and the state of a retry is an object. The frames
/// then fit into one block of the task's memory, which has 1 KiB: this is for the row `resilience-waiters`.
///
/// - Parameter failureType: The type of the errors that stand for interruptions; `nil` for ``RetryInterruption`` and
///   `CancellationError`.
@inline(__always)
func retrying<Value, C: Clock>(
  _ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, isolation: isolated (any Actor)? = #isolation,
  onWaiting: ((NetworkPath) -> Void)?, failureType: (any InterruptibleFailure.Type)?,
  operation: (RetryAttempt) async throws -> Value
) async throws -> Value where C.Duration == Duration {
  var run = policy.hasNoLimits ? nil : makeRun(policy, on: monitor, clock: clock)
  // A value that is returned needs no place of its own, so the success is noted here.
  defer { run?.leave() }
  while true {
    switch run?.nextStep(onWaiting) ?? .call {
    case .call:
      do {
        return try await operation(run?.attempt ?? RetryAttempt(number: 1))
      } catch {
        run = run ?? makeRun(policy, on: monitor, clock: clock, isFirstAttemptMade: true)
        run?.attemptFailed(error)
      }
    case .callWithLimit(let run):
      do {
        return try await run.callWithLimit(operation)
      } catch {
        run.attemptFailed(error)
      }
    case .suspend(let run): await run.suspend()
    case .wait(let visit): run?.waitEnded(await visit.wait())
    case .end(let run): throw run.lastFailure(failureType)
    }
  }
}

/// Makes the state of a retry. As a part of its caller, this would take 64 bytes of each retry that waits.
@inline(never)
private func makeRun<C: Clock>(
  _ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, isFirstAttemptMade: Bool = false
) -> RetryRun<C> where C.Duration == Duration {
  RetryRun(policy, on: monitor, clock: clock, isFirstAttemptMade: isFirstAttemptMade)
}

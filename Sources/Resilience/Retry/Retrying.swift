internal import ConnectivityCore

/// Calls the operation, and again as the policy says.
///
/// An operation without limits that succeeds at once costs little more than its call: this is for the row
/// `resilience-retry` of the benchmarks. A task that waits keeps the frames of all its functions. So this function
/// becomes a part of its callers, and the state of a retry is an object: this is for the row `resilience-waiters`.
///
/// - Parameter failure: Makes the error that stands for an interruption.
@inline(__always)
func retrying<Value, Failure: Error, C: Clock>(
  _ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, isolation: isolated (any Actor)? = #isolation,
  onWaiting: ((NetworkPath) -> Void)?, failure: (RetryInterruption) -> Failure,
  operation: (RetryAttempt) async throws(Failure) -> Value
) async throws(Failure) -> Value where C.Duration == Duration {
  var run = policy.hasNoLimits ? nil : RetryRun<Failure, C>(policy, on: monitor, clock: clock)
  defer { run?.leave() }
  while true {
    switch run?.nextStep(onWaiting) ?? .call {
    case .call:
      do throws(Failure) {
        let value = try await operation(run?.attempt ?? RetryAttempt(number: 1))
        run?.attemptSucceeded()
        return value
      } catch {
        run = run ?? RetryRun(policy, on: monitor, clock: clock, isFirstAttemptMade: true)
        run?.attemptFailed(error)
      }
    case .callWithLimit(let run):
      do throws(Failure) {
        let value = try await run.callWithLimit(operation)
        run.attemptSucceeded()
        return value
      } catch {
        run.attemptFailed(error)
      }
    case .suspend(let run): await run.suspend()
    case .wait(let run, let visit): run.waitEnded(await visit.wait())
    case .end(let run): throw run.lastFailure(failure)
    }
  }
}

internal import ConnectivityCore
internal import SystemIO

/// How long to wait for the first path of a source. A retry does not wait longer for knowledge.
private let patience = Duration.milliseconds(300)
/// The longest time limit, thirty years, which every clock can count.
private let longestTime = Duration.seconds(1_000_000_000)

/// The end of one attempt.
private enum AttemptEnd<Value, Failure: Error> {
  case value(Value)
  case failed(Failure)
  case interrupted(RetryInterruption)
}

/// Calls the operation, and again as the policy says.
///
/// An operation without limits that succeeds at once costs little more than its call: this is for the row
/// `resilience-retry` of the benchmarks.
///
/// - Parameter failure: Makes the error that stands for an interruption.
func retrying<Value, Failure: Error, C: Clock>(
  _ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, isolation: isolated (any Actor)? = #isolation,
  onWaiting: ((NetworkPath) -> Void)?, failure: (RetryInterruption) -> Failure,
  operation: (RetryAttempt) async throws(Failure) -> Value
) async throws(Failure) -> Value where C.Duration == Duration {
  var first: Failure?
  if policy.hasNoLimits {
    do throws(Failure) {
      return try await operation(RetryAttempt(number: 1))
    } catch {
      first = error
    }
  }
  return try await repeating(
    policy, after: first, on: monitor, clock: clock, onWaiting: onWaiting, failure: failure, operation: operation)
}

/// Carries out the steps of ``RetryProgress``.
///
/// - Parameters:
///   - first: The failure of the first attempt, if it was made before.
///   - failure: Makes the error that stands for an interruption.
private func repeating<Value, Failure: Error, C: Clock>(
  _ policy: RetryPolicy, after first: Failure?, on monitor: PathMonitor?, clock: C,
  isolation: isolated (any Actor)? = #isolation, onWaiting: ((NetworkPath) -> Void)?,
  failure: (RetryInterruption) -> Failure, operation: (RetryAttempt) async throws(Failure) -> Value
) async throws(Failure) -> Value where C.Duration == Duration {
  var first = first
  var progress = RetryProgress()
  var generator = policy.generator
  var lastRetry: RetryBudget.Withdrawal?
  var visit: WaitingRoomVisit<C>?
  defer { visit?.leave() }
  let deadline = policy.timeout.map { clock.now.advanced(by: min($0, longestTime)) }
  policy.health?.requestBegan()
  while true {
    let attempt = progress.begin()
    policy.report(.attemptBegan(attempt))
    let admission = policy.health?.admit()
    let end: AttemptEnd<Value, Failure>
    if let error = first.take() {
      end = .failed(error)
    } else if case .rejected(let time) = admission {
      end = .interrupted(RetryInterruption(.circuitOpen(for: time)))
    } else {
      end = await attempted(policy, until: deadline, clock) { () async throws(Failure) in try await operation(attempt) }
    }
    visit?.operationEnded()
    let thrown: Failure
    let error: any Error
    switch end {
    case .value(let value):
      policy.health?.attemptEnded(.success, admission)
      policy.health?.requestSucceeded(after: lastRetry)
      policy.report(.ended(.succeeded))
      return value
    case .failed(let failed): (thrown, error) = (failed, failed)
    case .interrupted(let interruption): (thrown, error) = (failure(interruption), interruption)
    }
    if Task.isCancelled || (error as? RetryInterruption)?.reason == .timedOut {
      policy.health?.attemptEnded(.neutral, admission)
      policy.report(.ended(Task.isCancelled ? .cancelled : .timedOut))
      throw thrown
    }

    let failed = await policy.judged(error, attempt, on: monitor)
    policy.health?.attemptEnded(failed.outcome, admission)
    let decision = ForeignCode.run { policy.decide(failed) }
    policy.report(.attemptFailed(failed, decision))
    let step = progress.step(
      after: failed, decision, policy, hasMonitor: monitor != nil,
      remaining: deadline.map { clock.now.duration(to: $0) }, using: &generator)
    var last: RetryEnd?
    switch step {
    case .end(let end): last = end
    case .pause(let pause):
      let (isAllowed, withdrawal) = policy.withdraw(for: failed)
      lastRetry = withdrawal
      if !isAllowed { last = .budgetExhausted } else if !(await policy.paused(pause, clock)) { last = .cancelled }
    case .waitForPath:
      guard let monitor else { break }
      var present =
        visit
        ?? WaitingRooms.enter(policy.reconnection, on: monitor, clock: clock, seed: generator.next())
      policy.report(.waitingForPath(failed.path))
      onWaiting?(failed.path)
      let outcome = await present.wait(until: deadline)
      visit = present
      switch outcome {
      case .released: break
      case .expired: last = .timedOut
      case .cancelled: last = .cancelled
      }
    }
    if let last {
      policy.report(.ended(last))
      throw last == .cancelled ? failure(RetryInterruption(.cancelled, underlying: error)) : thrown
    }
  }
}

/// Calls the operation, and cuts it off at the deadline or when the time of an attempt is over.
private func attempted<Value, Failure: Error, C: Clock>(
  _ policy: RetryPolicy, until deadline: C.Instant?, _ clock: C, isolation: isolated (any Actor)? = #isolation,
  _ operation: () async throws(Failure) -> Value
) async -> AttemptEnd<Value, Failure> where C.Duration == Duration {
  let ownLimit = policy.attemptTimeout.map { clock.now.advanced(by: min($0, longestTime)) }
  let limit =
    switch (deadline, ownLimit) {
    case (let deadline?, let ownLimit?): Optional(min(deadline, ownLimit))
    case (let limit, nil), (nil, let limit): limit
    }
  guard let limit else {
    do throws(Failure) {
      return .value(try await operation())
    } catch {
      return .failed(error)
    }
  }
  let timed = await timed(until: limit, clock: clock, operation)
  switch timed.result {
  case .success(let value): return .value(value)
  case .failure(let error) where timed.isCutOff && !Task.isCancelled:
    let reason = limit == deadline ? RetryInterruption.Reason.timedOut : .attemptTimedOut
    return .interrupted(RetryInterruption(reason, underlying: error))
  case .failure(let error): return .failed(error)
  }
}

extension RetryPolicy {
  /// Whether nothing limits or watches the first attempt.
  fileprivate var hasNoLimits: Bool { timeout == nil && attemptTimeout == nil && health == nil && onEvent == nil }

  fileprivate func report(_ event: @autoclosure () -> RetryEvent) {
    guard let onEvent else { return }
    ForeignCode.run { onEvent(event()) }
  }

  /// Judges an error together with the path.
  fileprivate func judged(
    _ error: any Error, _ attempt: RetryAttempt, on monitor: PathMonitor?
  ) async -> FailedAttempt {
    let traits = ForeignCode.run { judge(error) }
    var failed = FailedAttempt(failure: error, traits: traits, attempt: attempt, isIdempotent: isIdempotent)
    // The real clock measures the patience: a test that moves its own clock waits for the pauses of the retry alone.
    if let monitor, traits.kind != .cancelled {
      failed.path = await monitor.unsettledPath(patience: patience, clock: ContinuousClock())
      failed.isPathUnmet =
        failed.path.knowledge == .known && reconnection.requirement.verdict(on: failed.path) == .notMet
    }
    return failed
  }

  fileprivate func withdraw(for failed: FailedAttempt) -> (isAllowed: Bool, withdrawal: RetryBudget.Withdrawal?) {
    health?.withdraw(hasTimedOut: failed.traits.kind == .timedOut) ?? (true, nil)
  }

  /// Pauses; returns false when the task is cancelled.
  fileprivate func paused<C: Clock>(_ pause: Duration, _ clock: C) async -> Bool where C.Duration == Duration {
    guard pause > .zero else { return !Task.isCancelled }
    report(.pausing(pause))
    return (try? await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil)) != nil
  }
}

extension FailedAttempt {
  /// The meaning of the failure for the circuit breaker.
  fileprivate var outcome: CircuitBreaker.Outcome {
    // Without a path, nothing is learned about the server.
    if isPathUnmet { return .neutral }
    switch traits.kind {
    case .offline, .cancelled, .unknown: return .neutral
    // An answer that says no is an answer.
    case .permanent: return traits.isUnsent ? .neutral : .success
    case .transient, .timedOut: return (failure as? RetryInterruption)?.isRejection == true ? .neutral : .failure
    }
  }
}

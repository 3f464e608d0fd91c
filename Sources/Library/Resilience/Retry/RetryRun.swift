internal import ConnectivityCore
internal import SystemIO

/// How long to wait for the first path of a source. A retry does not wait longer for knowledge.
private let patience = Duration.milliseconds(300)

/// One retry that is under way. ``call(onWaiting:_:)`` is its way; the rest are the stations.
final class RetryRun<C: Clock, Failure: Error> where C.Duration == Duration {
  private let policy: RetryPolicy
  private let monitor: PathMonitor?
  private let clock: C
  private let deadline: C.Instant?
  /// Makes the error that stands for an interruption.
  private let interrupted: (RetryInterruption) -> Failure
  private var progress = RetryProgress()
  private var generator: any RandomNumberGenerator & Sendable
  /// The monitor whose path lets the next attempt begin. A path that has not settled decides about a failure, and then
  /// about the next attempt, too.
  private var gate: PathMonitor?
  /// The last failure, as it is thrown.
  private var failure: Failure?

  init(
    _ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, interrupted: @escaping (RetryInterruption) -> Failure
  ) {
    (self.policy, self.monitor, self.clock, self.interrupted) = (policy, monitor, clock, interrupted)
    generator = policy.generator
    gate = monitor
    deadline = policy.timeout.map { clock.now.after($0) }
  }

  /// The way of the retry: it waits for the path, asks the budget, makes the attempt within its time, decides about the
  /// failure, pauses, and begins again.
  func call<Value>(
    isolation: isolated (any Actor)? = #isolation, onWaiting: ((NetworkPath) -> Void)?,
    _ operation: (RetryAttempt) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let endFollowing = monitor?.observe { _ in }
    defer { endFollowing?() }
    while true {
      let path = try await waitForPath(onWaiting)
      try askBudget()
      let attempt = progress.begin(on: path)
      report(.attemptBegan(attempt))
      let timed = await timed(
        until: deadline, isImplied: policy.isTimeoutImplied, within: policy.attemptTimeout, clock: clock
      ) { () async throws(Failure) -> Value in try await operation(attempt) }
      switch timed.result {
      case .success(let value):
        policy.budget?.noteSuccess()
        report(.ended(.succeeded))
        return value
      case .failure(let error):
        try await pause(for: try await step(after: error, cutOff: timed.cutOff))
      }
    }
  }

  // MARK: Before an attempt

  /// Waits while the path is known not to be as required. Nothing is held and no other time runs meanwhile.
  private func waitForPath(_ onWaiting: ((NetworkPath) -> Void)?) async throws(Failure) -> NetworkPath {
    guard let gate else { return .unknown }
    let reconnection = policy.reconnection
    let mayWait = reconnection.maximumWaits > 0
    let hold = mayWait ? reconnection.spread * generator.fraction() : .zero
    do {
      return try await gate.waitWhileUnmet(
        reconnection.requirement, patience: patience, hold: hold, clock: clock,
        isLimitImplied: policy.isTimeoutImplied
      ) { path in
        guard mayWait else { return .zero }
        let path = reconnection.requirement.applied(to: path)
        report(.waitingForPath(path))
        onWaiting?(path)
        return remaining
      }
    } catch let error as PathUnavailableError {
      guard mayWait else { return error.path }
      throw end(.timedOut, on: error.path)
    } catch {
      // A monitor that was cancelled knows nothing more, and holds up no attempt.
      guard Task.isCancelled else { return gate.currentPath }
      throw end(.cancelled, on: gate.currentPath)
    }
  }

  /// Asks the budget about the next attempt. Only a retry needs it: not the first attempt, nor its repetition because
  /// the path was gone.
  private func askBudget() throws(Failure) {
    guard let failure, progress.isNextCounted, policy.budget?.allowsRetries == false else { return }
    report(.ended(.budgetExhausted))
    throw failure
  }

  private func pause(for pause: Duration) async throws(Failure) {
    if pause > .zero {
      // A budget that is spent now is no reason to wait first.
      try askBudget()
      report(.pausing(pause))
      try? await clock.sleep(until: clock.now.after(pause), tolerance: nil)
    }
    if Task.isCancelled { throw end(.cancelled, on: monitor?.currentPath ?? .unknown) }
  }

  // MARK: After an attempt

  /// Decides about an attempt that has failed; throws its error at the end.
  ///
  /// - Returns: The pause before the next attempt.
  private func step(after error: Failure, cutOff: RetryInterruption.Reason?) async throws(Failure) -> Duration {
    if Task.isCancelled { throw end(.cancelled, with: error) }
    let interruption = cutOff.map { reason in
      RetryInterruption(reason, underlying: error, path: monitor?.currentPath ?? .unknown)
    }
    let judged: any Error = interruption ?? error
    let thrown = interruption.map(interrupted) ?? error
    failure = thrown
    let traits = ForeignCode.run { policy.judge(judged) }
    var path = NetworkPath.unknown
    if let monitor, traits.kind != .cancelled {
      gate = monitor.withoutSettling()
      // At the deadline there is no time left to ask.
      path =
        cutOff == .timedOut
        ? monitor.currentPath : await monitor.unsettledPath(patience: patience, clock: clock)
    }
    var failed = FailedAttempt(
      failure: judged, traits: traits, attempt: progress.attempt, path: path, isIdempotent: policy.isIdempotent)
    failed.isPathUnmet = policy.reconnection.requirement.gatingVerdict(on: path) == .notMet
    note(failed)
    if cutOff == .timedOut { throw end(.timedOut, with: thrown) }
    let decision = ForeignCode.run { policy.decide(failed) }
    report(.attemptFailed(failed, decision))
    switch progress.step(after: failed, decision, policy, remaining: remaining, using: &generator) {
    case .end(let reason): throw end(reason, with: thrown)
    case .pause(let pause): return pause
    }
  }

  /// Notes in the budget what the failure says about the server.
  private func note(_ failed: FailedAttempt) {
    guard !failed.isPathLost else { return }
    switch failed.traits.kind {
    case .offline, .transient, .timedOut:
      // A server that says when to try again is not dead, and has chosen the time of the retry.
      if failed.traits.retryAfter ?? .zero <= .zero { policy.budget?.noteFailure() }
    // An answer that says no is work done.
    case .permanent: if failed.traits.isAnswer { policy.budget?.noteSuccess() }
    case .cancelled, .unknown: break
    }
  }

  // MARK: Ends

  /// The error at the end of a wait: the last failure if the time is over, otherwise an interruption.
  private func end(_ reason: RetryInterruption.Reason, on path: NetworkPath) -> Failure {
    if reason == .timedOut, let failure { return end(.timedOut, with: failure) }
    let interruption = RetryInterruption(reason, underlying: failure, path: path, isUnsent: progress.isUnsent)
    return end(reason == .cancelled ? .cancelled : .timedOut, with: interrupted(interruption))
  }

  private func end(_ end: RetryEnd, with failure: Failure) -> Failure {
    report(.ended(end))
    return failure
  }

  private var remaining: Duration? { deadline.map { clock.now.duration(to: $0) } }

  private func report(_ event: @autoclosure () -> RetryEvent) {
    guard let onEvent = policy.onEvent else { return }
    ForeignCode.run { onEvent(event()) }
  }
}

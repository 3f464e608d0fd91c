internal import ConnectivityCore
internal import SystemIO

/// How long to wait for the first path of a source. A retry does not wait longer for knowledge.
private let patience = Duration.milliseconds(300)

/// One retry that is under way. Its owner makes the calls and the waits, and passes their results in; everything that
/// does not suspend the task happens here.
final class RetryRun<C: Clock> where C.Duration == Duration {
  /// The next thing that the owner has to do.
  enum Step {
    case call
    case callWithLimit(RetryRun)
    case suspend(RetryRun)
    case wait(WaitingRoomVisit<C>)
    case end(RetryRun)
  }

  private enum Phase {
    case ready
    case failed
    case judged(FailureTraits, NetworkPath)
    case findingPath(FailureTraits, UnsettledPaths<ContinuousClock>)
    case pausing(Duration)
    case waiting(WaitingRoomVisit<C>)
    case ended(RetryEnd)
  }

  private let policy: RetryPolicy
  private let monitor: PathMonitor?
  private let clock: C
  private let deadline: C.Instant?
  private var progress = RetryProgress()
  private var generator: any RandomNumberGenerator & Sendable
  private var phase = Phase.ready
  private var admission: CircuitBreaker.Admission?
  private var lastRetry: RetryBudget.Withdrawal?
  private var visit: WaitingRoomVisit<C>?
  /// The moment at which the attempt is cut off, and the reason for it.
  private var limit: (moment: C.Instant, reason: RetryInterruption.Reason)?
  private var isCutOff = false
  /// The last failure of the operation.
  private var failure: (any Error)?
  /// The interruption of the last attempt, which is judged in place of its failure.
  private var interruption: RetryInterruption?

  init(_ policy: RetryPolicy, on monitor: PathMonitor?, clock: C, isFirstAttemptMade: Bool = false) {
    (self.policy, self.monitor, self.clock) = (policy, monitor, clock)
    generator = policy.generator
    deadline = policy.timeout.map { clock.now.after($0) }
    policy.health?.requestBegan()
    if isFirstAttemptMade { _ = progress.begin() }
  }

  // MARK: Steps

  func nextStep(_ onWaiting: ((NetworkPath) -> Void)?) -> Step {
    while true {
      switch phase {
      case .ready:
        if let step = begin() { return step }
      case .failed:
        let traits = ForeignCode.run { policy.judge(error) }
        phase = judged(traits)
      case .judged(let traits, let path): decide(traits, path, onWaiting)
      case .findingPath, .pausing: return .suspend(self)
      case .waiting(let visit): return .wait(visit)
      case .ended: return .end(self)
      }
    }
  }

  private func judged(_ traits: FailureTraits) -> Phase {
    guard let monitor, traits.kind != .cancelled else { return .judged(traits, .unknown) }
    // The real clock measures the patience: a test that moves its own clock waits for the pauses of the retry alone.
    let paths = UnsettledPaths(of: monitor)
    return paths.present.map { .judged(traits, $0) } ?? .findingPath(traits, paths)
  }

  /// Begins an attempt; `nil` if it is not admitted.
  private func begin() -> Step? {
    let attempt = progress.begin()
    report(.attemptBegan(attempt))
    (interruption, isCutOff) = (nil, false)
    admission = policy.health?.admit()
    if case .rejected(let time) = admission {
      interruption = RetryInterruption(.circuitOpen(for: time))
      attemptEnded()
      return nil
    }
    limit = attemptLimit()
    return limit == nil ? .call : .callWithLimit(self)
  }

  private func attemptLimit() -> (moment: C.Instant, reason: RetryInterruption.Reason)? {
    let own = policy.attemptTimeout.map { clock.now.after($0) }
    switch (deadline, own) {
    case (let deadline?, let own?): return deadline <= own ? (deadline, .timedOut) : (own, .attemptTimedOut)
    case (let deadline?, nil): return (deadline, .timedOut)
    case (nil, let own?): return (own, .attemptTimedOut)
    case (nil, nil): return nil
    }
  }

  /// Decides about the attempt that has failed.
  private func decide(_ traits: FailureTraits, _ path: NetworkPath, _ onWaiting: ((NetworkPath) -> Void)?) {
    var failed = FailedAttempt(
      failure: error, traits: traits, attempt: progress.attempt, path: path, isIdempotent: policy.isIdempotent)
    failed.isPathUnmet = path.knowledge == .known && policy.reconnection.requirement.gatingVerdict(on: path) == .notMet
    policy.health?.attemptEnded(failed.outcome, admission)
    let decision = ForeignCode.run { policy.decide(failed) }
    report(.attemptFailed(failed, decision))
    let step = progress.step(
      after: failed, decision, policy, hasMonitor: monitor != nil,
      remaining: deadline.map { clock.now.duration(to: $0) }, using: &generator)
    switch step {
    case .end(let end): self.end(end)
    case .pause(let pause):
      guard withdraw(traits) else { return end(.budgetExhausted) }
      if pause > .zero { phase = .pausing(pause) } else if Task.isCancelled { end(.cancelled) } else { phase = .ready }
    case .waitForPath: enter(path, onWaiting)
    }
  }

  private func withdraw(_ traits: FailureTraits) -> Bool {
    guard let health = policy.health else { return true }
    let (isAllowed, withdrawal) = health.withdraw(hasTimedOut: traits.kind == .timedOut)
    lastRetry = withdrawal
    return isAllowed
  }

  private func enter(_ path: NetworkPath, _ onWaiting: ((NetworkPath) -> Void)?) {
    guard let monitor else {
      phase = .ready
      return
    }
    let visit =
      visit
      ?? WaitingRooms.enter(
        policy.reconnection, on: monitor, clock: clock, deadline: deadline, seed: generator.next())
    self.visit = visit
    phase = .waiting(visit)
    report(.waitingForPath(path))
    onWaiting?(path)
  }

  // MARK: Results

  private func attemptSucceeded() {
    visit?.operationEnded()
    policy.health?.attemptEnded(.success, admission)
    policy.health?.requestSucceeded(after: lastRetry)
    report(.ended(.succeeded))
  }

  func attemptFailed(_ failure: any Error) {
    self.failure = failure
    if isCutOff, let limit, !Task.isCancelled {
      interruption = RetryInterruption(limit.reason, underlying: failure)
    }
    attemptEnded()
  }

  private func attemptEnded() {
    visit?.operationEnded()
    phase = .failed
    let isTimedOut = (error as? RetryInterruption)?.reason == .timedOut
    guard Task.isCancelled || isTimedOut else { return }
    policy.health?.attemptEnded(.neutral, admission)
    end(Task.isCancelled ? .cancelled : .timedOut, isInterrupted: false)
  }

  func waitEnded(_ outcome: WaitingOutcome) {
    switch outcome {
    case .released: phase = .ready
    case .expired: end(.timedOut)
    case .cancelled: end(.cancelled)
    }
  }

  /// Ends the retry: what follows is its last failure.
  private func end(_ end: RetryEnd, isInterrupted: Bool = true) {
    // A wait that was cancelled has no failure of its own.
    if end == .cancelled, isInterrupted { interruption = RetryInterruption(.cancelled, underlying: error) }
    report(.ended(end))
    phase = .ended(end)
  }

  /// Ends the run. If nothing else has ended it, the operation has succeeded.
  func leave() {
    switch phase {
    case .ended: break
    case .ready, .failed, .judged, .findingPath, .pausing, .waiting: attemptSucceeded()
    }
    visit?.leave()
  }

  /// The error that the retry throws.
  ///
  /// - Parameter type: The type of the errors that stand for interruptions; `nil` for ``RetryInterruption`` and
  ///   `CancellationError`.
  func lastFailure(_ type: (any InterruptibleFailure.Type)?) -> any Error {
    if let interruption {
      if let type { return type.init(interruption) }
      return interruption.reason == .cancelled ? CancellationError() : interruption
    }
    guard let failure else { preconditionFailure("no attempt has failed") }
    return failure
  }

  // MARK: Waits

  /// Calls the operation, and cuts it off at the limit of the attempt.
  func callWithLimit<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: (RetryAttempt) async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await operation(attempt) }
    let attempt = attempt
    let timed = await timed(until: limit.moment, clock: clock) { try await operation(attempt) }
    isCutOff = timed.isCutOff
    return try timed.result.get()
  }

  /// Waits for what the next step needs.
  func suspend(isolation: isolated (any Actor)? = #isolation) async {
    switch phase {
    case .findingPath(let traits, let paths): phase = .judged(traits, await paths.next(within: patience))
    case .pausing(let pause): await self.pause(for: pause)
    case .ready, .failed, .judged, .waiting, .ended: break
    }
  }

  private func pause(for pause: Duration, isolation: isolated (any Actor)? = #isolation) async {
    report(.pausing(pause))
    let hasPaused = (try? await clock.sleep(until: clock.now.after(pause), tolerance: nil)) != nil
    if hasPaused { phase = .ready } else { end(.cancelled) }
  }

  // MARK: Parts

  /// The attempt that was begun last. As a part of its caller, this would take 24 bytes of each retry that waits: for
  /// the row `resilience-waiters` of the benchmarks.
  var attempt: RetryAttempt {
    @inline(never) get { progress.attempt }
  }

  /// The error that is judged.
  private var error: any Error {
    if let interruption { return interruption }
    guard let failure else { preconditionFailure("no attempt has failed") }
    return failure
  }

  private func report(_ event: @autoclosure () -> RetryEvent) {
    guard let onEvent = policy.onEvent else { return }
    ForeignCode.run { onEvent(event()) }
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

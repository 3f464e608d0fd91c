internal import ConnectivityCore
internal import SystemIO

/// The result of an attempt, and the limit that has cut it off; `nil` for none.
struct TimedResult<Value, Failure: Error> {
  var result: Result<Value, Failure>
  var cutOff: RetryInterruption.Reason?
}

/// Calls the operation. With a limit, it runs in a task of its own, in the isolation of the caller. The task is
/// cancelled at the deadline, or when the operation has run for the time of an attempt.
///
/// The result of an operation that succeeds in spite of the cancellation is its value.
func timed<Value, Failure: Error, C: Clock>(
  until deadline: C.Instant?, isImplied: Bool, within time: Duration?, clock: C,
  isolation: isolated (any Actor)? = #isolation, _ operation: () async throws(Failure) -> Value
) async -> TimedResult<Value, Failure> where C.Duration == Duration {
  guard deadline != nil || time != nil else {
    do throws(Failure) {
      return TimedResult(result: .success(try await operation()))
    } catch {
      return TimedResult(result: .failure(error))
    }
  }
  let cutOff = Guarded<RetryInterruption.Reason?>(nil)
  let place = ResultPlace<Value, Failure>()
  let limit = time.map { AttemptLimit($0, clock: clock) }
  // A task releases its closure before its value is there, so the operation never outlives this call.
  await withoutActuallyEscaping(operation) { operation in
    let work = Task {
      // The capture gives the task the isolation of the caller.
      _ = isolation
      await PathWait.$limit.withValue(limit ?? PathWait.limit) {
        do throws(Failure) {
          place.result = .success(try await operation())
        } catch {
          place.result = .failure(error)
        }
      }
    }
    let end = { @Sendable (reason: RetryInterruption.Reason) in
      cutOff.withLock { if $0 != .timedOut { $0 = reason } }
      work.cancel()
    }
    let timer = deadline.map { deadline in
      Task {
        let sleep = { try? await clock.sleep(until: deadline, tolerance: nil) }
        if await ImpliedLimit.$isMark.withValue(isImplied, operation: sleep) != nil { end(.timedOut) }
      }
    }
    limit?.start { end(.attemptTimedOut) }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    timer?.cancel()
    await timer?.value
    await limit?.stop()
  }
  guard let result = place.result else { preconditionFailure("the operation has ended without a result") }
  return TimedResult(result: result, cutOff: cutOff.copy)
}

/// The place where the task of an attempt leaves its result for the task that waits for it. The value need not be
/// `Sendable`, because both tasks have the same isolation and one waits for the other.
private final class ResultPlace<Value, Failure: Error> {
  var result: Result<Value, Failure>?
}

/// The time of an attempt, which stands still while the attempt waits for a path.
private final class AttemptLimit<C: Clock>: PathWaitLimit where C.Duration == Duration {
  private struct State {
    /// The time that is left at ``mark``.
    var left: Duration
    /// The time from ``begin`` at which ``left`` was counted.
    var mark = Duration.zero
    var waits = 0
    var action: (@Sendable () -> Void)?
    var timer: Task<Void, Never>?
  }

  private let clock: C
  private let begin: C.Instant
  /// The limit around this one, which stands still, too.
  private let outer = PathWait.limit
  private let state: Guarded<State>

  init(_ time: Duration, clock: C) {
    self.clock = clock
    begin = clock.now
    state = Guarded(State(left: time.countable))
  }

  /// Calls the action when the time is over.
  func start(_ action: @escaping @Sendable () -> Void) { change { $0.action = action } }

  /// Ends the time, and waits until its timer has gone.
  func stop() async { await change { $0.action = nil }?.value }

  func pathWaitBegan() {
    outer?.pathWaitBegan()
    change { $0.waits += 1 }
  }

  func pathWaitEnded() {
    change { $0.waits -= 1 }
    outer?.pathWaitEnded()
  }

  /// Changes the state, then sets the timer or cancels it.
  ///
  /// - Returns: The timer that was cancelled.
  @discardableResult
  private func change(_ body: (inout State) -> Void) -> Task<Void, Never>? {
    let now = ForeignCode.run { begin.duration(to: clock.now) }
    let former = state.withLock { state -> Task<Void, Never>? in
      body(&state)
      guard let action = state.action, state.waits == 0 else {
        if state.timer != nil { state.left -= now - state.mark }
        return state.timer.take()
      }
      guard state.timer == nil else { return nil }
      state.mark = now
      let moment = now + state.left
      state.timer = Task { [clock, begin] in
        if (try? await clock.sleep(until: begin.after(moment), tolerance: nil)) != nil { action() }
      }
      return nil
    }
    ForeignCode.run { former?.cancel() }
    return former
  }
}

internal import SystemIO

/// The result of an attempt, and whether its time was over before.
struct TimedResult<Value, Failure: Error> {
  var result: Result<Value, Failure>
  var isCutOff: Bool
}

/// Calls the operation in a task of its own, in the isolation of the caller, and cancels that task at the deadline.
///
/// The result of an operation that succeeds in spite of the cancellation is its value.
func timed<Value, Failure: Error, C: Clock>(
  until deadline: C.Instant, clock: C, isolation: isolated (any Actor)? = #isolation,
  _ operation: () async throws(Failure) -> Value
) async -> TimedResult<Value, Failure> where C.Duration == Duration {
  let isCutOff = Guarded(false)
  let place = ResultPlace<Value, Failure>()
  // A task releases its closure before its value is there, so the operation never outlives this call.
  await withoutActuallyEscaping(operation) { operation in
    let work = Task {
      // The capture gives the task the isolation of the caller.
      _ = isolation
      do throws(Failure) {
        place.result = .success(try await operation())
      } catch {
        place.result = .failure(error)
      }
    }
    let timer = Task {
      guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
      isCutOff.withLock { $0 = true }
      work.cancel()
    }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    timer.cancel()
    await timer.value
  }
  guard let result = place.result else { preconditionFailure("the operation has ended without a result") }
  return TimedResult(result: result, isCutOff: isCutOff.copy)
}

/// The place where the task of an attempt leaves its result for the task that waits for it. The value need not be
/// `Sendable`, because both tasks have the same isolation and one waits for the other.
private final class ResultPlace<Value, Failure: Error> {
  var result: Result<Value, Failure>?
}

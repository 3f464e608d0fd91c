internal import SystemIO

/// Work whose result is waited for until it comes or nobody wants it any more.
///
/// Foundation's calls can block: a session whose resolver does not answer holds up whoever cancels a task of it, or
/// makes another. So they are made where blocking holds up nobody, and who waits here is free at once.
final class Abandonable<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var continuation: CheckedContinuation<Value, any Error>?
  }

  private let state = Guarded(State())

  /// Does the work and returns its result.
  ///
  /// - Parameters:
  ///   - discard: Called with a result that came too late.
  ///   - work: What is done; it is cancelled with the task.
  /// - Throws: What the work throws; `CancellationError` at once when the task is cancelled.
  static func run(
    discard: @escaping @Sendable (Value) -> Void = { _ in }, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let outcome = Abandonable()
    let task = Task.detached(executorPreference: BlockingExecutor.shared) {
      do {
        let value = try await work()
        if !outcome.settle(.success(value)) { discard(value) }
      } catch {
        _ = outcome.settle(.failure(error))
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { outcome.wait($0) }
    } onCancel: {
      if outcome.settle(.failure(CancellationError())) { BlockingExecutor.shared.start { task.cancel() } }
    }
  }

  private func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  /// Returns whether this is the first result, the only one that counts.
  private func settle(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      guard state.result == nil else { return (false, CheckedContinuation<Value, any Error>?.none) }
      defer { state.continuation = nil }
      state.result = result
      return (true, state.continuation)
    }
    continuation?.resume(with: result)
    return isFirst
  }
}

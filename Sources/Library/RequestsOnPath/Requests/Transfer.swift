internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import SystemIO

/// One task of a session, and the wait for its end or its cancellation.
///
/// The session's asynchronous methods are not used. If one of them is cancelled at the moment when its transfer ends,
/// all sessions of the process block for ever (Swift 6.3.1). The cancellation holds the task's lock and waits for the
/// queue that all sessions share, and this queue waits for that lock. A resolver that does not answer can hold up that
/// queue, and with it any call. Calls are therefore made on a thread of Dispatch: a cancelled wait ends at once.
///
/// The task has no delegate of its own: it would take the place of the session's delegate. With a delegate of the task,
/// Foundation also sends no cookies to the target of a redirection.
final class Transfer<Value: Sendable>: Sendable {
  typealias Answer = (Value, URLResponse)
  typealias Completion = @Sendable (Value?, URLResponse?, (any Error)?) -> Void

  private struct State {
    var task: URLSessionTask?
    /// The time from which the task may be cancelled.
    var ripeness = DispatchTime.distantFuture
    var continuation: CheckedContinuation<Answer, any Error>?
    var result: Result<Answer, any Error>?
    var hasRedirected = false
  }

  /// The time between the start of a task and its earliest cancellation.
  ///
  /// A task first looks for a cached answer, on the background queue of Dispatch. If it is cancelled before the end of
  /// this search, Foundation starts the transfer and cancels it right after. If the transfer has ended in between,
  /// Foundation ends the program (swift-corelibs-foundation issue 3296, Swift 6.3.1).
  private static var ripeningTime: DispatchTimeInterval { .milliseconds(100) }

  private let state = Guarded(State())
  private let discard: @Sendable (Value) -> Void

  /// - Parameter discard: Called with a value that has come too late.
  init(discard: @escaping @Sendable (Value) -> Void) {
    self.discard = discard
  }

  /// Whether the transfer has failed after a server had redirected the request. A redirection to the same URL with the
  /// same method is not seen.
  var hasRedirected: Bool { state.withLock { $0.hasRedirected } }

  /// Begins the transfer, and waits for its end.
  ///
  /// - Parameter makeTask: Makes the task without resuming it.
  /// - Throws: The error of the task; `CancellationError` at once when the calling task is cancelled.
  func run(_ makeTask: @escaping @Sendable (@escaping Completion) -> URLSessionTask) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(continuation)
        DispatchQueue.global().async { self.begin(makeTask) }
      }
    } onCancel: {
      if let (task, ripeness) = settle(.failure(CancellationError())).begun {
        // This queue begins work in order, so that the search for a cached answer has begun before.
        DispatchQueue.global(qos: .background).asyncAfter(deadline: ripeness) { task.cancel() }
      }
    }
  }

  private func wait(_ continuation: CheckedContinuation<Answer, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { ForeignCode.run { continuation.resume(with: result) } }
  }

  private func begin(_ makeTask: (@escaping Completion) -> URLSessionTask) {
    let task = ForeignCode.run {
      makeTask { [self] value, response, error in
        if let value, let response {
          if !settle(.success((value, response))).isFirst { ForeignCode.run { discard(value) } }
        } else {
          noteRedirection()
          _ = settle(.failure(error ?? URLError(.unknown)))
        }
      }
    }
    let isWanted = state.withLock { state in
      if state.result == nil { (state.task, state.ripeness) = (task, .now() + Self.ripeningTime) }
      return state.result == nil
    }
    ForeignCode.run { if isWanted { task.resume() } else { task.cancel() } }
  }

  /// Stores the first result and releases the task. Later results are ignored.
  private func settle(
    _ result: Result<Answer, any Error>
  ) -> (isFirst: Bool, begun: (task: URLSessionTask, ripeness: DispatchTime)?) {
    let (isFirst, task, ripeness, continuation) = state.withLock { state in
      defer { (state.task, state.continuation) = (nil, nil) }
      let isFirst = state.result == nil
      if isFirst { state.result = result }
      return (isFirst, state.task, state.ripeness, state.continuation)
    }
    ForeignCode.run { continuation?.resume(with: result) }
    return (isFirst, task.map { ($0, ripeness) })
  }

  private func noteRedirection() {
    // Ask the task outside the lock, because it can wait for Foundation's lock. A settled transfer has no task.
    guard let task = state.withLock({ $0.task }), let last = task.currentRequest, let first = task.originalRequest,
      last.url != first.url || last.httpMethod != first.httpMethod
    else { return }
    state.withLock { $0.hasRedirected = true }
  }
}

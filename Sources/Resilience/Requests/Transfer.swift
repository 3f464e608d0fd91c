internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import SystemIO

/// One task of a session, waited for until it ends or nobody wants it any more.
///
/// The session's asynchronous methods are not used: cancelling one at the moment when its transfer ends blocks all
/// sessions of the process for ever (Swift 6.3.1: the cancellation holds the task's lock and waits for the queue that all
/// sessions share, which waits for that lock). And as any call can wait for that queue, as long as a resolver that does
/// not answer, calls are made on a thread of Dispatch, and who waits here is free at once.
///
/// The task is given no delegate: it would take the place of the session's, and with one Foundation sends no cookies to
/// where a redirection leads.
final class Transfer<Value: Sendable>: Sendable {
  typealias Answer = (Value, URLResponse)
  typealias Completion = @Sendable (Value?, URLResponse?, (any Error)?) -> Void

  private struct State {
    var task: URLSessionTask?
    var continuation: CheckedContinuation<Answer, any Error>?
    var result: Result<Answer, any Error>?
    var hasRedirected = false
  }

  private let state = Guarded(State())
  private let discard: @Sendable (Value) -> Void

  /// - Parameter discard: Called with what has come too late.
  init(discard: @escaping @Sendable (Value) -> Void = { _ in }) {
    self.discard = discard
  }

  /// Whether the transfer has failed after a server had answered and sent the request on. A redirection to the same URL
  /// with the same method is not seen.
  var hasRedirected: Bool { state.withLock { $0.hasRedirected } }

  /// Begins, and waits for the end.
  ///
  /// - Parameter makeTask: Makes the task, which is not resumed.
  /// - Throws: What the task fails with; `CancellationError` at once when this task is cancelled.
  func run(_ makeTask: @escaping @Sendable (@escaping Completion) -> URLSessionTask) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(continuation)
        DispatchQueue.global().async { self.begin(makeTask) }
      }
    } onCancel: {
      if let task = settle(.failure(CancellationError())).task { DispatchQueue.global().async { task.cancel() } }
    }
  }

  private func wait(_ continuation: CheckedContinuation<Answer, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  private func begin(_ makeTask: (@escaping Completion) -> URLSessionTask) {
    let task = makeTask { [self] value, response, error in
      if let value, let response {
        if !settle(.success((value, response))).isFirst { discard(value) }
      } else {
        noteRedirection()
        _ = settle(.failure(error ?? URLError(.unknown)))
      }
    }
    let isWanted = state.withLock { state in
      if state.result == nil { state.task = task }
      return state.result == nil
    }
    if isWanted { task.resume() } else { task.cancel() }
  }

  /// Takes the first result, the only one that counts, and lets go of the task.
  private func settle(_ result: Result<Answer, any Error>) -> (isFirst: Bool, task: URLSessionTask?) {
    let (isFirst, task, continuation) = state.withLock { state in
      defer { (state.task, state.continuation) = (nil, nil) }
      let isFirst = state.result == nil
      if isFirst { state.result = result }
      return (isFirst, state.task, state.continuation)
    }
    continuation?.resume(with: result)
    return (isFirst, task)
  }

  private func noteRedirection() {
    // It is asked without the lock: that can wait for Foundation's. What is settled needs no answer.
    guard let task = state.withLock({ $0.task }), let last = task.currentRequest, let first = task.originalRequest,
      last.url != first.url || last.httpMethod != first.httpMethod
    else { return }
    state.withLock { $0.hasRedirected = true }
  }
}

internal import Foundation
internal import Synchronization

/// A body that runs on a thread of its own from now on.
///
/// Waiting for it needs none of the threads of tests, all of which may be waiting.
package final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Runs the body from now on.
  package init(_ body: @escaping @Sendable () throws -> Value) {
    Thread { [self] in
      let result = Result(catching: body)
      self.result.withLock { $0 = result }
      done.signal()
    }.start()
  }

  /// The value or error of the body, after its end; to be called once.
  package func wait() throws -> Value {
    done.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

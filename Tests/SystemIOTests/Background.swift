import Foundation
import Synchronization

/// A body that runs on a thread of its own from now on.
///
/// Waiting for it needs none of the threads that tests run on, all of which may be waiting.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread { [self] in
      let result = Result(catching: body)
      self.result.withLock { $0 = result }
      done.signal()
    }.start()
  }

  /// What the body returned or threw, once it has; to be called once.
  func wait() throws -> Value {
    done.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

/// A pipe whose ends are closed with it.
final class TestPipe {
  private let pipe = Pipe()

  var reading: Int32 { pipe.fileHandleForReading.fileDescriptor }
  var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }

  func write(_ text: String = "x") throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  func closeReading() throws { try pipe.fileHandleForReading.close() }

  func closeWriting() throws { try pipe.fileHandleForWriting.close() }

  func read(_ count: Int) throws -> [UInt8] {
    Array(try pipe.fileHandleForReading.read(upToCount: count) ?? Data())
  }
}

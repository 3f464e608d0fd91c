import Connectivity
import Dispatch
import Foundation
import SystemIO
import Testing

/// Collects paths and lets a thread wait for one.
final class PathRecorder: Sendable {
  private let paths = Guarded<[NetworkPath]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func add(_ path: NetworkPath) {
    paths.withLock { $0.append(path) }
    arrived.signal()
  }

  var all: [NetworkPath] { paths.withLock { $0 } }
  var statuses: [NetworkPath.Status] { all.map(\.status) }

  /// Waits for the next path; `nil` after a while without one.
  func next(within limit: DispatchTimeInterval = .seconds(20)) -> NetworkPath? {
    arrived.wait(timeout: .now() + limit) == .success ? paths.withLock { $0.last } : nil
  }

  /// Waits for a path of which the condition holds; `nil` when none comes.
  func next(where condition: (NetworkPath) -> Bool) -> NetworkPath? {
    while let path = next() { if condition(path) { return path } }
    return nil
  }

  /// Waits on a thread of its own for a path of which the condition holds.
  func path(where condition: @escaping @Sendable (NetworkPath) -> Bool) async throws -> NetworkPath {
    let path = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.next(where: condition)) }
    }
    return try #require(path)
  }
}

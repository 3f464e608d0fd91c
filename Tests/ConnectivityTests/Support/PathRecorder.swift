import Connectivity
import ConnectivityTesting
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

/// A script, and a monitor of it.
func scripted(_ path: NetworkPath? = nil) -> (script: PathScript, monitor: PathMonitor) {
  let script = PathScript(path)
  return (script, PathMonitor(source: .scripted(script)))
}

/// A monitor of a script with a handler that records on a queue of its own.
struct ScriptedStage {
  let script: PathScript
  let monitor: PathMonitor
  let recorder = PathRecorder()
  let queue = DispatchQueue(label: "handler")

  /// Not started yet.
  init(_ path: NetworkPath? = .offline, make: (PathSource) -> PathMonitor = { PathMonitor(source: $0) }) {
    script = PathScript(path)
    monitor = make(.scripted(script))
    monitor.pathUpdateHandler = { [recorder] in recorder.add($0) }
  }

  /// Starts it, and waits until the first update is through.
  func start() {
    monitor.start(queue: queue)
    finish()
  }

  /// Sends paths, each of which is handled before the next.
  func send(_ paths: NetworkPath...) {
    for path in paths {
      script.send(path)
      finish()
    }
  }

  /// Waits until the queue has run all its blocks.
  func finish() {
    // A block that the running block adds has run after the second round.
    for _ in 0..<2 { queue.sync {} }
  }
}

/// A call of a monitor's handler that has begun, and lasts until it may end.
final class HandlerCall: Sendable {
  let (script, monitor) = scripted(.offline)
  let mayEnd = DispatchSemaphore(value: 0)
  let hasEnded = Guarded(false)

  init() {
    let hasStarted = DispatchSemaphore(value: 0)
    monitor.pathUpdateHandler = { [mayEnd, hasEnded] _ in
      hasStarted.signal()
      mayEnd.wait()
      hasEnded.withLock { $0 = true }
    }
    monitor.start(queue: .global())
    hasStarted.wait()
  }
}

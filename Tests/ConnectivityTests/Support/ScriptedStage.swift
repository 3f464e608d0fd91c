import Connectivity
import ConnectivityTesting
import Dispatch
import SystemIO

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

/// Counts the calls of a handler: those under way, the most that were at once, and all.
final class Overlaps: Sendable {
  let counts = Guarded((now: 0, most: 0, all: 0))

  func during(_ body: () -> Void) {
    counts.withLock { counts in
      counts.now += 1
      counts.all += 1
      counts.most = max(counts.most, counts.now)
    }
    body()
    counts.withLock { $0.now -= 1 }
  }
}

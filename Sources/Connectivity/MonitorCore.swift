internal import Dispatch
internal import Foundation
internal import PathModel
internal import SystemIO

/// What a ``PathMonitor`` does, apart from it: the engine's thread holds on to this, and releasing the monitor
/// ends it.
final class MonitorCore: Sendable {
  private struct State {
    var handler: (@Sendable (NetworkPath) -> Void)?
    var current = NetworkPath.unknown
    var queue: DispatchQueue?
    /// Counts the starts: what was scheduled for an earlier one is void.
    var run = 0
    var subscription: EngineThread.Subscription?
    /// The newest path that the handler has not seen: at most one waits.
    var waiting: NetworkPath?
    var lastHandled: NetworkPath?
    var iterations:
      [Int: (continuation: AsyncStream<NetworkPath>.Continuation, subscription: EngineThread.Subscription)] =
        [:]
    var nextIteration = 0
  }

  private let settle: SettleTimes
  private let probes: ProbeAddresses
  private let state = Guarded(State())
  /// Held while a handler runs. It is recursive so that a handler may cancel.
  private let handling = NSRecursiveLock()

  init(settle: SettleTimes, probes: ProbeAddresses) {
    self.settle = settle
    self.probes = probes
  }

  var currentPath: NetworkPath { state.withLock { $0.current } }

  var handler: (@Sendable (NetworkPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  // MARK: The handler

  func start(queue: DispatchQueue) {
    state.withLock { state in
      guard state.queue == nil else { return }
      state.queue = queue
      state.run += 1
      let run = state.run
      state.subscription = EngineThread.subscribe(settle, probes: probes) { [weak self] path in
        self?.take(path, run)
      }
    }
  }

  func cancel() {
    handling.lock()
    defer { handling.unlock() }
    let (subscription, iterations) = state.withLock { state in
      let ended = (state.subscription, Array(state.iterations.values))
      state.queue = nil
      state.run += 1
      state.subscription = nil
      state.waiting = nil
      state.lastHandled = nil
      state.iterations = [:]
      return ended
    }
    subscription?.cancel()
    for iteration in iterations {
      iteration.subscription.cancel()
      iteration.continuation.finish()
    }
  }

  /// Takes a path from the engine's thread: the handler is called on its queue, once for all that wait.
  private func take(_ path: NetworkPath, _ run: Int) {
    let queue: DispatchQueue? = state.withLock { state in
      guard state.run == run else { return nil }
      state.current = path
      defer { state.waiting = path }
      return state.waiting == nil ? state.queue : nil
    }
    queue?.async { [weak self] in self?.handle(run) }
  }

  private func handle(_ run: Int) {
    handling.lock()
    defer { handling.unlock() }
    let call: (() -> Void)? = state.withLock { state in
      guard state.run == run, let path = state.waiting else { return nil }
      state.waiting = nil
      guard path != state.lastHandled, let handler = state.handler else { return nil }
      state.lastHandled = path
      return { handler(path) }
    }
    call?()
  }

  // MARK: Iterations

  func makeStream() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextIteration += 1
      let subscription = EngineThread.subscribe(settle, probes: probes) { [weak self] path in
        self?.state.withLock { $0.current = path }
        continuation.yield(path)
      }
      state.iterations[state.nextIteration] = (continuation, subscription)
      return state.nextIteration
    }
    continuation.onTermination = { [weak self] _ in
      let ended = self?.state.withLock { $0.iterations.removeValue(forKey: number) }
      ended?.subscription.cancel()
    }
    return stream
  }
}

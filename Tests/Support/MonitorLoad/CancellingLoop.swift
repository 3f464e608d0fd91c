import Connectivity
import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import SystemIO

/// Something that ends by cancelling, again and again in several tasks, while a script sends flat out.
struct CancellingLoop: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// Waits for a path that comes.
    case waits
    /// Waits for a path that never comes, until the time is over.
    case timeouts
    /// Iterations whose task is cancelled.
    case iterations
    /// The phases of the path, until one of them.
    case phases
    /// Work that is cancelled when its path is lost.
    case works
    /// Requests to a server.
    case requests
    /// A stream that a handler feeds, and that cancels the monitor at its end, as programs for `NWPathMonitor` have it.
    case streams
    /// Monitors that are released, with handlers whose objects use the library as they end.
    case releases
  }

  private let kind: Kind
  private let url: URL?
  private let script = PathScript(.offline)

  init(_ kind: Kind, url: URL?) {
    (self.kind, self.url) = (kind, url)
  }

  /// Runs for the time, and returns the number of completed rounds.
  func run(for time: Duration) async -> Int {
    let watchdog = Watchdog()
    let isOver = Guarded(false)
    Thread.detachNewThread { [script] in
      while !isOver.copy {
        script.send(.online(over: .wifi))
        script.send(.offline)
      }
    }
    let end = ContinuousClock.now + time
    let shared = PathMonitor(source: .scripted(script))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          // Half of them have a monitor of their own.
          let monitor = number % 2 == 0 ? shared : PathMonitor(source: .scripted(script))
          while ContinuousClock.now < end {
            await once(monitor)
            watchdog.step()
          }
        }
      }
    }
    isOver.withLock { $0 = true }
    return watchdog.count
  }

  private func once(_ monitor: PathMonitor) async {
    switch kind {
    case .waits: _ = try? await monitor.waitUntil(.wifi, timeout: .seconds(1))
    case .timeouts: _ = try? await monitor.waitUntil(.cellular, timeout: .milliseconds(2))
    case .iterations: await cancelled { for await _ in monitor {} }
    case .phases: for await phase in monitor.phases(times: .immediate) where phase == .online { break }
    case .works:
      _ = try? await monitor.withPath(.wifi, onLoss: .cancel(after: .milliseconds(1))) { _ in
        try await Task.sleep(for: .milliseconds(3))
      }
    case .requests: await request(monitor)
    case .streams: await cancelled { for await _ in stream() {} }
    case .releases: releaseMonitor()
    }
  }

  /// Runs the body in a task that is cancelled a moment later.
  private func cancelled(_ body: @escaping @Sendable () async -> Void) async {
    let task = Task { await body() }
    try? await Task.sleep(for: .microseconds(200))
    task.cancel()
    await task.value
  }

  private func request(_ monitor: PathMonitor) async {
    guard let url else { return }
    var options = RequestOptions(onLoss: .cancel(after: .milliseconds(2)), monitor: monitor)
    options.timeout = .seconds(5)
    _ = try? await URLSession.shared.data(from: url, requiring: .wifi, options: options)
  }

  private func releaseMonitor() {
    let monitor = PathMonitor(source: .scripted(script))
    let token = Token(script)
    monitor.pathUpdateHandler = { _ in withExtendedLifetime(token) {} }
    monitor.start(queue: .global())
    monitor.pathUpdateHandler = { _ in withExtendedLifetime(token) {} }
  }

  /// An object that, when it is released, starts and ends a monitor and delivers a path to all others.
  private final class Token: Sendable {
    private let script: PathScript

    init(_ script: PathScript) { self.script = script }

    deinit {
      let monitor = PathMonitor(source: .scripted(script))
      monitor.pathUpdateHandler = { _ in }
      monitor.start(queue: .global())
      script.send(.online())
      monitor.cancel()
    }
  }

  private func stream() -> AsyncStream<NetworkPath> {
    let monitor = PathMonitor(source: .scripted(script))
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      monitor.pathUpdateHandler = { continuation.yield($0) }
      continuation.onTermination = { _ in monitor.cancel() }
      monitor.start(queue: .global())
    }
  }
}

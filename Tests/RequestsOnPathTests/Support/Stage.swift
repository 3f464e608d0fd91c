import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

/// A script, a clock that stands still, a session of its own, and the paths that requests waited on.
struct Stage: Sendable {
  let script: PathScript
  let monitor: PathMonitor
  let clock = ManualClock()
  let session: URLSession
  let waits: AsyncStream<NetworkPath>
  private let waiting: AsyncStream<NetworkPath>.Continuation

  init(_ path: NetworkPath?) {
    script = PathScript(path)
    monitor = PathMonitor(source: .scripted(script))
    session = URLSession(configuration: .ephemeral)
    (waits, waiting) = AsyncStream.makeStream(of: NetworkPath.self)
  }

  func options(
    whenUnmet: RequestOptions.UnmetReaction = .wait, timeout: Duration? = nil, onLoss: PathLossReaction = .standard,
    requiresThroughout: Bool = false
  ) -> RequestOptions {
    RequestOptions(
      whenUnmet: whenUnmet, timeout: timeout, onLoss: onLoss, requiresThroughout: requiresThroughout, monitor: monitor)
  }

  /// Gets a URL; what comes is the body as text, and the status.
  func get(
    _ url: URL, requiring requirement: PathRequirement = .connected, _ options: RequestOptions? = nil
  ) async throws(RequestFailure) -> (text: String, status: Int) {
    let (data, response) = try await session.data(
      from: url, requiring: requirement, options: options ?? self.options(), clock: clock
    ) { [waiting] in
      waiting.yield($0)
    }
    return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode ?? 0)
  }

  /// Gets a URL, which has to fail.
  func failure(
    _ url: URL, requiring requirement: PathRequirement = .connected, _ options: RequestOptions? = nil
  ) async -> RequestFailure? {
    await Self.failure { () async throws(RequestFailure) in
      try await get(url, requiring: requirement, options)
    }
  }

  /// The failure of some work, which has to fail.
  static func failure<Value>(of work: () async throws(RequestFailure) -> Value) async -> RequestFailure? {
    do throws(RequestFailure) {
      Issue.record("it did not fail: \(try await work())")
      return nil
    } catch {
      return error
    }
  }

  /// The next path that a request waits on.
  func nextWait() async -> NetworkPath? { await waits.first { _ in true } }

  /// The paths on which requests waited, without those that ``nextWait()`` has returned.
  func remainingWaits() async -> [NetworkPath] {
    waiting.finish()
    var paths: [NetworkPath] = []
    for await path in waits { paths.append(path) }
    return paths
  }
}

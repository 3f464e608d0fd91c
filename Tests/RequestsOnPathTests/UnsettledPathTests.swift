import ConnectivityCore
import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import SystemIO
import Testing

/// A source that delivers different paths to its subscriptions, like subscriptions with different settle times.
private final class UnequalSource: PathProvider {
  private let paths: Guarded<[NetworkPath]>
  private let subscriptions = Guarded(0)

  /// The last path is for all further subscriptions.
  init(_ paths: NetworkPath...) { self.paths = Guarded(paths) }

  var subscriptionCount: Int { subscriptions.copy }

  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void {
    subscriptions.withLock { $0 += 1 }
    deliver(.path(paths.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })).perform()
    return {}
  }
}

@Suite("A path that has just gone", .timeLimit(.minutes(2)))
struct UnsettledPathTests {
  /// No host has this name, whatever the network is.
  private static let url = "http://nowhere.invalid/"

  @Test func `a request that begins in that moment waits for the next path`() async throws {
    // The monitor still has the path from before the loss, new subscriptions have the loss, and then the path is back.
    let source = UnequalSource(.online(), .offline, .offline, .offline, .online())
    let options = RequestOptions(monitor: PathMonitor(source: PathSource(.provided(source))))
    let (waits, waiting) = AsyncStream.makeStream(of: NetworkPath.self)
    let url = try #require(URL(string: Self.url))
    let task = Task {
      await Stage.failure { () async throws(RequestFailure) in
        try await URLSession.shared.data(
          from: url, requiring: .connected, options: options, clock: ManualClock()
        ) { waiting.yield($0) }
      }
    }
    #expect(await waits.first { _ in true }?.unsatisfiedReason == .noRoute)
    task.cancel()
    let failure = try #require(await task.value)
    #expect(failure.reason == .cancelled && failure.isUnsent)
    #expect(source.subscriptionCount == 4)
  }

  @Test func `a request that was to be refused then is offline`() async throws {
    let source = UnequalSource(.online(), .offline)
    let monitor = PathMonitor(source: PathSource(.provided(source)))
    let url = try #require(URL(string: Self.url))
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await URLSession.shared.data(
        from: url, requiring: .connected, options: RequestOptions(whenUnmet: .refuse, monitor: monitor),
        clock: ManualClock())
    }
    #expect(failure?.reason == .offline && failure?.path == .offline && failure?.isUnsent == true)
  }

  @Test func `a path that is back is no reason to wait`() async throws {
    let source = UnequalSource(.online())
    let monitor = PathMonitor(source: PathSource(.provided(source)))
    let url = try #require(URL(string: Self.url))
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await URLSession.shared.data(
        from: url, requiring: .connected, options: RequestOptions(monitor: monitor), clock: ManualClock())
    }
    #expect(failure?.reason == .hostNotFound)
  }
}

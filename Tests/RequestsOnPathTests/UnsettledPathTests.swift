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
  private let waiting = AsyncStream.makeStream(of: NetworkPath.self)

  /// The failure of a request to a name that no host has, whatever the network is.
  private func failure(on source: UnequalSource, whenUnmet: RequestOptions.UnmetReaction = .wait) async
    -> RequestFailure?
  {
    let options = RequestOptions(whenUnmet: whenUnmet, monitor: PathMonitor(source: PathSource(.provided(source))))
    return await Stage.failure { () async throws(RequestFailure) in
      guard let url = URL(string: "http://nowhere.invalid/") else { throw RequestFailure(.invalidRequest) }
      return try await URLSession.shared.data(
        from: url, requiring: .connected, options: options, clock: ManualClock()
      ) { [waiting] in waiting.continuation.yield($0) }
    }
  }

  @Test func `a request that begins in that moment waits for the next path`() async throws {
    // The monitor still has the path from before the loss, new subscriptions have the loss, and then the path is back.
    let source = UnequalSource(.online(), .offline, .offline, .offline, .online())
    let task = Task { await failure(on: source) }
    #expect(await waiting.stream.first { _ in true }?.unsatisfiedReason == .noRoute)
    task.cancel()
    let result = try #require(await task.value)
    #expect(result.reason == .cancelled && result.isUnsent)
    #expect(source.subscriptionCount == 4)
  }

  @Test func `a request that was to be refused then is offline`() async throws {
    let failure = await failure(on: UnequalSource(.online(), .offline), whenUnmet: .refuse)
    #expect(failure?.reason == .offline && failure?.path == .offline && failure?.isUnsent == true)
  }

  @Test func `a path that is back is no reason to wait`() async throws {
    #expect(await failure(on: UnequalSource(.online()))?.reason == .hostNotFound)
  }
}

import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import SystemIO
import Testing

@Suite("Requests with the option to refuse", .timeLimit(.minutes(2)))
struct RefusalTests {
  private let clock = WatchedClock()

  /// A path that has just been lost. A time ahead of the clock is the newest one possible.
  private static let justLost: NetworkPath = {
    var path = NetworkPath.offline
    path.boottimeMicroseconds = boottimeMicroseconds() + 3_600_000_000
    return path
  }()

  private func get(
    _ url: URL, on stage: Stage, _ whenUnmet: RequestOptions.UnmetReaction
  ) async throws(RequestFailure) -> String {
    let (data, _) = try await stage.session.data(
      from: url, requiring: .connected, options: stage.options(whenUnmet: whenUnmet), clock: clock)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `a path that comes back in time refuses nothing`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(Self.justLost))
    async let answer = get(server.url("/ok"), on: stage, .refuse)
    await clock.waitForSleep(until: .milliseconds(200))
    clock.manual.advance(by: .milliseconds(199))
    stage.script.send(.online())
    #expect(try await answer == "ok")
  }

  @Test func `a path that stays away refuses after the settle time of losses`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(Self.justLost))
    let task = Task {
      await Stage.failure { () async throws(RequestFailure) in try await get(server.url("/ok"), on: stage, .refuse) }
    }
    await clock.waitForSleep(until: .milliseconds(200))
    clock.manual.advance(by: .milliseconds(100))
    // Another reason does not start the time afresh.
    var other = Self.justLost
    other.unsatisfiedReason = .noAddress
    stage.script.send(other)
    clock.manual.advance(by: .milliseconds(100))
    let failure = try #require(await task.value)
    #expect(failure.reason == .offline && failure.isUnsent && failure.path.status == .unsatisfied)
    #expect(server.requestCount(to: "/ok") == 0)
  }

  @Test func `a path that has been away for longer refuses at once`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(nil))
    var path = NetworkPath.offline
    path.boottimeMicroseconds = boottimeMicroseconds() - 200_000
    stage.script.send(path)
    // The clock stands still.
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await get(server.url("/ok"), on: stage, .refuse)
    }
    #expect(failure?.reason == .offline)
  }

  @Test func `a request with the option to proceed is sent, and fails as offline`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    #expect(try await get(server.url("/ok"), on: stage, .proceed) == "ok")
    let failure = await Stage.failure { () async throws(RequestFailure) in
      let url = URL(string: "http://nowhere.invalid/") ?? server.url("/ok")
      return try await get(url, on: stage, .proceed)
    }
    #expect(failure?.reason == .offline && failure?.path == .offline && failure?.underlying != nil)
  }
}

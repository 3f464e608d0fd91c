import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

@Suite("A transfer on a path", .timeLimit(.minutes(2)))
struct TransferTests {
  /// Begins a transfer that stops in the middle, and waits until the server has its request.
  private func begin(
    _ path: NetworkPath = .online(), at fault: String = "/half", requiring requirement: PathRequirement = .connected,
    _ makeOptions: (Stage) -> RequestOptions = { $0.options() }
  ) async throws -> (server: FaultServer, stage: Stage, failure: Task<RequestFailure?, Never>) {
    let (server, stage) = (try FaultServer.forRequests(), Stage(path))
    let options = makeOptions(stage)
    let task = Task { await stage.failure(server.url(fault), requiring: requirement, options) }
    await server.waitForRequests(to: fault)
    return (server, stage, task)
  }

  @Test func `a transfer whose path is lost is cancelled after the grace period, and its connection closed`()
    async throws
  {
    let (server, stage, task) = try await begin()
    stage.script.send(.offline)
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .seconds(2))
    let failure = try #require(await task.value)
    #expect(failure.reason == .connectionLost && failure.path == .offline && !failure.isUnsent)
    await server.waitForAbandoned(of: "/half")
  }

  @Test func `neither a short loss nor an unknown path cancels anything`() async throws {
    let (server, stage, task) = try await begin { $0.options(timeout: .seconds(1_000)) }
    stage.script.send(.offline)
    await stage.clock.waitForSleepers(2)
    stage.clock.advance(by: .seconds(1))
    stage.script.send(.online())
    while stage.clock.sleeperCount > 1 { await Task.yield() }
    stage.script.lose()
    stage.clock.advance(by: .seconds(900))
    #expect(server.abandonedCount(of: "/half") == 0)
    stage.clock.advance(by: .seconds(99))
    #expect(try #require(await task.value).reason == .timedOut(.resource))
  }

  @Test func `a path over another interface is no path for a connection that was made before`() async throws {
    let (server, stage, task) = try await begin(.online(over: .wifi))
    defer { server.close() }
    stage.script.send(.online(over: .cellular))
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .seconds(2))
    let failure = try #require(await task.value)
    #expect(failure.reason == .connectionLost && failure.path == .online(over: .cellular))
  }

  @Test func `a path that becomes expensive ends a transfer with that option`() async throws {
    let (server, stage, task) = try await begin(requiring: .unmetered) { $0.options(requiresThroughout: true) }
    defer { server.close() }
    stage.script.send(.online(isExpensive: true))
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .seconds(2))
    let failure = try #require(await task.value)
    #expect(failure.reason == .requirementNotMet(.unmetered) && !failure.isUnsent)
  }

  @Test func `a path that becomes expensive ends no transfer otherwise, nor does a loss that is ignored`() async throws
  {
    let (server, stage, task) = try await begin(requiring: .unmetered)
    stage.script.send(.online(isExpensive: true))
    let ignoring = Task {
      await stage.failure(server.url("/silent"), stage.options(onLoss: .ignore))
    }
    await server.waitForRequests(to: "/silent")
    stage.script.send(.online())
    #expect(stage.clock.sleeperCount == 0, "there is no grace period")
    task.cancel()
    #expect(try #require(await task.value).reason == .cancelled)
    stage.script.send(.offline)
    #expect(stage.clock.sleeperCount == 0)
    ignoring.cancel()
    _ = await ignoring.value
  }

  @Test func `the total time ends a transfer`() async throws {
    let (server, stage, task) = try await begin { $0.options(timeout: .seconds(5)) }
    stage.clock.advance(by: .seconds(5))
    let failure = try #require(await task.value)
    #expect(failure.reason == .timedOut(.resource) && !failure.isUnsent && failure.path == .online())
    await server.waitForAbandoned(of: "/half")
  }

  @Test func `the session's total time counts, which Foundation ignores`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 7
    let session = URLSession(configuration: configuration)
    let task = Task {
      await Stage.failure { () async throws(RequestFailure) in
        try await session.data(
          from: server.url("/half"), requiring: .connected, options: stage.options(), clock: stage.clock)
      }
    }
    await server.waitForRequests(to: "/half")
    stage.clock.advance(by: .seconds(7))
    #expect(await task.value?.reason == .timedOut(.resource))
  }

  @Test func `silence for longer than the request's own time limit is a timeout of the request`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    var request = URLRequest(url: server.url("/silent"))
    request.timeoutInterval = 1
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await stage.session.data(for: request, requiring: .connected, options: stage.options(), clock: stage.clock)
    }
    #expect(failure?.reason == .timedOut(.request))
  }

  @Test func `a cancelled task ends at once, and its connection with it`() async throws {
    let (server, stage, task) = try await begin(at: "/silent")
    task.cancel()
    #expect(try #require(await task.value).reason == .cancelled)
    await server.waitForAbandoned(of: "/silent")
    while stage.clock.sleeperCount > 0 || stage.script.subscriberCount > 0 { await Task.yield() }
  }

  @Test(
    "each fault of a server has its reason",
    arguments: [
      ("/reset", RequestFailure.Reason.connectionLost), ("/resets", .connectionLost), ("/empty", .connectionLost),
      // Foundation calls these "unknown".
      ("/truncated", .other), ("/chunks", .other), ("/gzip", .other),
      ("/garbage", .invalidResponse), ("/loop", .invalidResponse),
    ])
  func fault(_ path: String, _ reason: RequestFailure.Reason) async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let failure = try #require(await stage.failure(server.url(path)))
    #expect(failure.reason == reason, "\(failure)")
    #expect(!failure.isUnsent && failure.url == server.url(path))
  }

  @Test func `a host that refuses cannot be connected to, and an unknown name is not found`() async throws {
    let stage = Stage(.online())
    let refusing = try #require(URL(string: "http://127.0.0.1:9/"))
    let unnamed = try #require(URL(string: "http://nowhere.invalid"))
    let refused = try #require(await stage.failure(refusing))
    #expect(refused.reason == .cannotConnect && refused.isUnsent)
    let nameless = try #require(await stage.failure(unnamed))
    #expect(nameless.reason == .hostNotFound && nameless.isUnsent)
  }

  @Test("an answer is a result, whatever its status", arguments: [("/missing", 404, "none"), ("/who", 401, "who")])
  func status(_ path: String, _ status: Int, _ text: String) async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    #expect(try await stage.get(server.url(path)) == (text, status))
  }
}

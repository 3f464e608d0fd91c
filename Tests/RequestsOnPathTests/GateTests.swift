import ConnectivityTesting
import Foundation
import FoundationNetworking
import RequestsOnPath
import Testing

@Suite("The gate before a request", .timeLimit(.minutes(2)))
struct GateTests {
  @Test func `a path that is as required lets a request through at once`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let answer = try await stage.get(server.url("/ok"), requiring: .unmetered)
    #expect(answer == ("ok", 200))
    #expect(await stage.remainingWaits().isEmpty)
  }

  @Test func `a request waits for its path, and reports it once`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline(because: .noCarrier)))
    async let answer = stage.get(server.url("/ok"), requiring: .unmetered)
    let path = try #require(await stage.nextWait())
    #expect(path.status == .unsatisfied && path.unsatisfiedReason == .noCarrier)
    stage.script.send(.offline)
    stage.script.send(.online(over: .cellular))
    stage.script.send(.online(over: .wifi))
    #expect(try await answer == ("ok", 200))
    #expect(await stage.remainingWaits().isEmpty)
    await server.waitForRequests(to: "/ok")
    #expect(server.requestCount(to: "/ok") == 1)
  }

  @Test func `a request that waits for another kind of path reports the reason`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online(over: .cellular)))
    async let answer = stage.get(server.url("/ok"), requiring: .unmetered)
    let path = try #require(await stage.nextWait())
    #expect(path.status == .unsatisfied && path.unsatisfiedReason == .requirementNotMet)
    #expect("\(path)".hasSuffix("(cellular), metered"))
    stage.script.send(.online())
    #expect(try await answer == ("ok", 200))
  }

  @Test func `a request with the option to refuse is refused, and nothing is sent`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let options = stage.options(whenUnmet: .refuse)
    let offline = try #require(
      await stage.failure(server.url("/ok"), options))
    #expect(offline.reason == .offline && offline.isUnsent && offline.path == .offline && offline.underlying == nil)
    stage.script.send(.online(over: .cellular))
    let unmet = try #require(
      await stage.failure(server.url("/ok"), requiring: .unmetered, options))
    #expect(unmet.reason == .requirementNotMet(.unmetered) && unmet.isUnsent)
    #expect(await stage.remainingWaits().isEmpty)
    // The server reports a later request after all reports about these.
    _ = try await stage.session.data(from: server.url("/missing"))
    await server.waitForRequests(to: "/missing")
    #expect(server.requestCount(to: "/ok") == 0)
  }

  @Test(
    "a path that is not known blocks no request",
    arguments: [RequestOptions.UnmetReaction.wait, .refuse], [PathRequirement.connected, .unmeteredKnown])
  func unknown(_ whenUnmet: RequestOptions.UnmetReaction, _ requirement: PathRequirement) async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.unknown))
    #expect(
      try await stage.get(server.url("/ok"), requiring: requirement, stage.options(whenUnmet: whenUnmet)).text == "ok")
  }

  @Test func `a source that is lost blocks no request, whatever its last path`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    stage.script.lose()
    #expect(try await stage.get(server.url("/ok")).text == "ok")
  }

  @Test func `a source that is lost ends the waiting`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    async let answer = stage.get(server.url("/ok"))
    _ = await stage.nextWait()
    stage.script.lose()
    #expect(try await answer.text == "ok")
  }

  @Test func `a source without a path is waited for shortly`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(nil))
    async let answer = stage.get(server.url("/ok"))
    // The time limit of the source.
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .milliseconds(300))
    #expect(try await answer.text == "ok")
  }

  @Test func `a monitor that is cancelled meanwhile blocks no request`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    async let answer = stage.get(server.url("/ok"))
    _ = await stage.nextWait()
    stage.monitor.cancel()
    #expect(try await answer.text == "ok")
  }

  @Test func `the total time counts while a request waits`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let options = stage.options(timeout: .seconds(30))
    async let result = stage.failure(server.url("/ok"), options)
    _ = await stage.nextWait()
    await stage.clock.waitForSleepers(1)
    stage.clock.advance(by: .seconds(30))
    let failure = try #require(await result)
    #expect(failure.reason == .timedOut(.resource) && failure.isUnsent && failure.path == .offline)
  }

  @Test func `a cancelled task waits no longer, and leaves nothing behind`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let task = Task { await stage.failure(server.url("/ok")) }
    _ = await stage.nextWait()
    task.cancel()
    let failure = try #require(await task.value)
    #expect(failure.reason == .cancelled && failure.isUnsent)
    while stage.clock.sleeperCount > 0 || stage.script.subscriberCount > 0 { await Task.yield() }
  }

  @Test func `a request to this machine waits for no path, unless its monitor was given`() async throws {
    let server = try FaultServer.forRequests()
    let options = RequestOptions(whenUnmet: .refuse)
    // The paths of this machine have no effect on it, as an impossible requirement shows.
    let impossible = try PathRequirement("interface=nonexistent0")
    for host in ["127.0.0.1", "localhost"] {
      let (data, _) = try await URLSession.shared.data(
        from: server.url("/ok", host: host), requiring: impossible, options: options)
      #expect(data == Data("ok".utf8))
    }
  }

  @Test func `a request without a URL is not valid`() async throws {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    request.url = nil
    let failure = await Stage.failure { [request] () async throws(RequestFailure) in
      try await URLSession.shared.data(for: request, requiring: .connected)
    }
    #expect(failure?.reason == .invalidRequest && failure?.isUnsent == true)
  }

  @Test func `an infinite total time and one that is over are times, too`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let endless = stage.options(timeout: .seconds(Int64.max))
    // The clock of the system ends the program when it is to sleep for longer than it can count.
    let (data, _) = try await stage.session.data(from: server.url("/ok"), requiring: .connected, options: endless)
    #expect(data == Data("ok".utf8))
    let over = try #require(await stage.failure(server.url("/silent"), stage.options(timeout: .seconds(-1))))
    #expect(over.reason == .timedOut(.resource))
  }

  @Test func `requests that wait need no threads of their own`() async {
    await #expect(processExitsWith: .success) {
      func threadCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
      let stage = Stage(.offline)
      let url = try #require(URL(string: "http://192.0.2.1/"))
      let requests = (0..<500).map { _ in Task { await stage.failure(url) } }
      for _ in requests { _ = await stage.nextWait() }
      let count = try threadCount()
      precondition(count < 32, "\(count) threads")
      for request in requests { request.cancel() }
      for request in requests {
        let failure = await request.value
        precondition(failure?.reason == .cancelled)
      }
    }
  }
}

import Connectivity
import ConnectivityTesting
import Glibc
import Testing

/// The snippets of "Gating requests on the path", with the declarations that they use.
private struct GatingRequests: Sendable {
  let monitor: PathMonitor
  let spoken = SpokenLines()
  let url = "https://www.example.org/"
  /// The event that each call of ``sync()`` waits for.
  let mayFinish = ManualClock()

  func print(_ item: Any) { spoken.say(item) }
  func download(_ url: String) async throws -> String { "the page of \(url)" }

  func sync() async throws {
    print("syncing")
    try await mayFinish.sleep(for: .seconds(1))
  }

  func wait() async throws {
    // guide: begin
    do {
      let path = try await monitor.waitUntil(.connected, timeout: .seconds(30))
      print(path)
    } catch let error as PathUnavailableError {
      print(error)  // the path has not become 'connected' in time: offline: no route …
    }
    // guide: end
  }

  func load() async throws -> String {
    // guide: begin
    let page = try await monitor.withPath(.unmetered) { _ in try await download(url) }
    // guide: end
    return page
  }

  // guide: begin
  func syncWhileUnmetered() async throws {
    while true {
      do {
        return try await monitor.withPath(.unmetered, onLoss: .cancel(after: .zero)) { _ in try await sync() }
      } catch let error as PathUnavailableError where error.reason == .lost {
        print("waiting for the next path")
      }
    }
  }
  // guide: end

  func requirement() throws -> PathRequirement {
    // guide: begin
    let requirement = try PathRequirement("unmetered,not-vpn,(wifi|ethernet)")
    // guide: end
    return requirement
  }

  func requirementInCode() -> PathRequirement {
    // guide: begin
    let requirement: PathRequirement = .unmetered && !.vpn && (.wifi || .ethernet)
    // guide: end
    return requirement
  }

  func judge(_ requirement: PathRequirement) {
    // guide: begin
    switch requirement.verdict(on: monitor.currentPath) {
    case .met: print("begin")
    case .notMet: print("put off")
    case .unknown: print("try")
    }
    // guide: end
  }

  struct Settings {
    var savesData: Bool
  }

  func take(_ settings: Settings) {
    // guide: begin
    monitor.savesData = settings.savesData
    // guide: end
  }

  static func monitorOfRequirement() -> PathMonitor {
    // guide: begin
    let monitor = PathMonitor(requirement: .unmetered)
    // guide: end
    return monitor
  }
}

@Suite("The guide to gating requests")
struct GatingRequestsTests {
  private func stage(_ path: NetworkPath?) -> (PathScript, GatingRequests) {
    let script = PathScript(path)
    return (script, GatingRequests(monitor: PathMonitor(source: .scripted(script))))
  }

  @Test func `a path is waited for`() async throws {
    let (script, guide) = stage(.offline)
    let waiting = Task { try await guide.wait() }
    script.send(.online())
    try await waiting.value
    #expect(await guide.spoken.next() == "connected over eth0 (wired Ethernet) via 192.0.2.1")
  }

  @Test func `a download has its page`() async throws {
    let (script, guide) = stage(.online(over: .cellular))
    let loading = Task { try await guide.load() }
    script.send(.online(over: .wifi))
    #expect(try await loading.value == "the page of https://www.example.org/")
  }

  @Test func `work that loses its path begins again with the next one`() async throws {
    let (script, guide) = stage(.online(over: .wifi))
    let working = Task { try await guide.syncWhileUnmetered() }
    #expect(await guide.spoken.next() == "syncing")
    script.send(.offline)
    #expect(await guide.spoken.next() == "waiting for the next path")
    script.send(.online())
    #expect(await guide.spoken.next() == "syncing")
    await guide.mayFinish.waitForSleepers(1)
    guide.mayFinish.advance(by: .seconds(1))
    try await working.value
  }

  @Test(
    "the verdict on a path decides",
    arguments: [
      (NetworkPath.online(), "begin"), (.online(over: .other), "put off"), (.online(over: .cellular), "put off"),
      (.offline, "put off"), (.unknown, "try"),
    ])
  func verdict(_ path: NetworkPath, _ outcome: String) async throws {
    let (_, guide) = stage(path)
    let requirement = try guide.requirement()
    #expect(requirement == guide.requirementInCode())
    var paths = guide.monitor.makeAsyncIterator()
    _ = await paths.next()
    guide.judge(requirement)
    #expect(await guide.spoken.next() == outcome)
  }

  @Test func `a user's wish to save data makes the path constrained`() async throws {
    let (_, guide) = stage(.online())
    guide.take(GatingRequests.Settings(savesData: true))
    #expect(try await guide.monitor.firstPath.isConstrained)
  }

  @Test func `a monitor of a requirement delivers a path that does not meet it as unsatisfied`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PATHMONITOR_SIMULATE", "cellular", 1)
      let path = try await GatingRequests.monitorOfRequirement().firstPath
      precondition(path.status == .unsatisfied && path.unsatisfiedReason == .requirementNotMet)
    }
  }
}

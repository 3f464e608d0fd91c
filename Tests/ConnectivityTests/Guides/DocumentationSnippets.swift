import Connectivity
import ConnectivityTesting
import Foundation
import Observation
import Testing

/// The snippets in the documentation of public symbols, with the declarations that they use.
private struct Documentation: Sendable {
  let spoken = SpokenLines()
  let url = "https://www.example.org/"

  func print(_ item: Any) { spoken.say("\(item)") }
  func download(_ url: String) async throws -> String { "the page of \(url)" }
  func show(_ phase: ConnectivityPhase) { print(phase) }
  @Sendable func redrawSoon() { print("again") }

  func iterate() async {
    // guide: begin
    let monitor = PathMonitor()
    for await path in monitor {
      print(path.status == .satisfied ? "online over \(path.interfaces[0].name)" : "offline")
    }
    // guide: end
  }

  func handle(_ monitor: PathMonitor) {
    // guide: begin
    monitor.pathUpdateHandler = { path in print(path) }
    monitor.start(queue: .main)
    // guide: end
  }

  func listen() async {
    // guide: begin
    for await message in NotificationCenter.default.messages(of: PathMonitor.shared, for: .pathDidChange) {
      print(message.path)
    }
    // guide: end
  }

  @MainActor
  func observe() {
    // guide: begin
    let model = ConnectivityModel()
    withObservationTracking {
      show(model.phase)
    } onChange: {
      redrawSoon()
    }
    // guide: end
  }

  func gate(_ monitor: PathMonitor) async throws -> String {
    // guide: begin
    let page = try await monitor.withPath(.unmetered) { _ in try await download(url) }
    // guide: end
    return page
  }

  func requirement() -> PathRequirement {
    // guide: begin
    let requirement: PathRequirement = .unmetered && !.vpn && (.wifi || .ethernet)
    // guide: end
    return requirement
  }

  func wait() async throws {
    // guide: begin
    let clock = ManualClock()
    let waiting = Task { try await clock.sleep(for: .seconds(5)) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    try await waiting.value
    // guide: end
  }

  func script() -> PathMonitor {
    // guide: begin
    let script = PathScript(.offline)
    let monitor = PathMonitor(source: .scripted(script))
    script.send(.online(over: .wifi))
    // guide: end
    return monitor
  }
}

@Suite("The snippets in the documentation of symbols")
struct DocumentationSnippetTests {
  @Test func `a manual clock wakes a sleeping task`() async throws {
    try await Documentation().wait()
  }

  @Test func `a requirement in code is the one of the text`() throws {
    #expect(Documentation().requirement() == (try PathRequirement("unmetered,not-vpn,(wifi|ethernet)")))
  }

  @Test func `a script is followed`() async throws {
    let path = try await Documentation().script().waitUntil(.connected, timeout: .seconds(30))
    #expect(path.interfaceType == .wifi)
  }

  @Test func `work runs on a path that it may run on`() async throws {
    let monitor = PathMonitor(source: .scripted(PathScript(.online())))
    #expect(try await Documentation().gate(monitor) == "the page of https://www.example.org/")
  }
}

import Connectivity
import ConnectivityTesting
import Foundation
import Testing

@testable import ConnectivityCore

/// The snippets of "Testing offline", which are tests themselves.
@Suite("The guide to testing offline")
struct TestingOfflineTests {
  // guide: begin
  struct Uploads {
    var monitor: PathMonitor

    func send() async throws -> String {
      try await monitor.withPath(.unmetered) { path in "sent over \(path.interfaces[0].name)" }
    }
  }
  // guide: end

  // guide: begin
  @Test func `an upload waits for a path that costs nothing`() async throws {
    let script = PathScript(.online(over: .cellular))
    let uploads = Uploads(monitor: PathMonitor(source: .scripted(script)))
    async let outcome = uploads.send()
    script.send(.offline)
    script.send(.online(over: .wifi))
    #expect(try await outcome == "sent over wlan0")
  }
  // guide: end

  // guide: begin
  @Test func `a lost source is not offline`() async throws {
    let script = PathScript(.online(over: .wifi))
    let monitor = PathMonitor(source: .scripted(script))
    var paths = monitor.makeAsyncIterator()
    _ = await paths.next()
    script.lose()
    let path = await paths.next()
    #expect(path?.status == .satisfied)
    #expect(path?.knowledge == .stale)
  }
  // guide: end

  // guide: begin
  @Test func `after ten seconds without a path the work is given up`() async throws {
    let (script, clock) = (PathScript(.offline), ManualClock())
    let monitor = PathMonitor(source: .scripted(script))
    let waiting = Task { try await monitor.waitUntil(.connected, timeout: .seconds(10), clock: clock) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(10))
    await #expect(throws: PathUnavailableError.self) { try await waiting.value }
  }
  // guide: end

  // MARK: Other languages

  private static let page = "Sources/Library/ConnectivityCore/ConnectivityCore.docc/TestingOffline.md"

  @Test func `every simulation of the guide is understood`() throws {
    let blocks = try GuidePage(at: Self.page).blocks
    let variable = "PATHMONITOR_SIMULATE="
    let values = blocks.filter { $0.language == "sh" }.flatMap(\.text).filter { $0.hasPrefix(variable) }
      .map { String($0.dropFirst(variable.count).prefix { $0 != " " }) }
    #expect(values.count == 3)
    for value in values where !value.hasPrefix("script:") { _ = try PathSimulation(value) }
    let script = try #require(blocks.first { $0.language.isEmpty })
    #expect(try PathSimulation.steps(script.text.joined(separator: "\n")).count == 3)
  }

  @Test func `the guide names every word of a simulation`() throws {
    let error = try #require(throws: PathSimulation.ParseError.self) { try PathSimulation("no such word") }
    let allowed = try #require(error.description.components(separatedBy: "allowed: ").last)
    let words = allowed.components(separatedBy: ", ").filter { $0 != "script:FILE" }
    #expect(words.contains("offline"))
    let text = try String(contentsOf: GuidePage.repository.appendingPathComponent(Self.page), encoding: .utf8)
    for word in words { #expect(text.contains("`\(word)`"), "\(word) is not in the guide") }
  }
}

import Connectivity
import ConnectivityTesting
import Foundation
import FoundationNetworking
import Testing

/// The snippets of the test kit's documentation. They are compiled, and not run: requests have a process of their own.
enum TestKitSnippets {
  static func everything() throws {
    // guide: begin
    let script = PathScript(.online(over: .wifi))
    let monitor = PathMonitor(source: .scripted(script))
    let clock = ManualClock()
    let server = try FaultServer()
    let link = try LinkConditioner(.edge, to: server.port)
    // guide: end
    _ = (monitor, clock, link)
  }

  static func nextSleeper(of clock: ManualClock) async {
    // guide: begin
    await clock.waitForSleeper(until: ManualClock.Instant(offset: .seconds(10)))
    await clock.advanceToNextSleeper()
    // guide: end
  }

  static func answers() -> [FaultAnswer] {
    // guide: begin
    let maintenance = FaultAnswer(503, headers: [("Retry-After", "17")], body: "down for maintenance")
    let cutOff = FaultAnswer.json(#"{"isAvailable": true}"#).with(.reset(afterBodyBytes: 3))
    // guide: end
    return [maintenance, cutOff]
  }

  static func refusal() throws {
    // guide: begin
    let port = try FaultPort.refusing()
    defer { port.close() }
    // guide: end
    _ = port.port
  }

  static func failures() async throws {
    // guide: begin
    let server = try FaultServer { request in
      request.number < 3 ? FaultAnswer(503, headers: [("Retry-After", "1")]) : .json(#"{"name": "value"}"#)
    }
    defer { server.close() }
    let (data, _) = try await URLSession.shared.data(from: server.url("/items"))
    #expect(server.requestCount(to: "/items") == 1)
    // guide: end
    _ = data
  }

  static func slowLink() throws {
    // guide: begin
    let server = try FaultServer()
    let link = try LinkConditioner(.edge, to: server.port)
    defer { link.close() }
    // guide: end
    _ = link.port
  }
}

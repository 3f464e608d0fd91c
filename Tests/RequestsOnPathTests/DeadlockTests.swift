import ConnectivityTesting
import Foundation
import ProcessTestSupport
import Testing

/// Requests in a process of their own with a watchdog, on a path that comes and goes all the time.
@Suite("A request that ends as the path changes", .timeLimit(.minutes(5)))
struct DeadlockTests {
  @Test func `stops no other request and no monitor`() async throws {
    let server = try FaultServer.forRequests()
    let outcome = try await RunningProgram.run(
      [RunningProgram.built("monitor-load"), "loop", "requests", "5", server.url("/ok").absoluteString],
      within: .seconds(120))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
    server.close()
  }
}

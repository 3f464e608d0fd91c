import ProcessTestSupport
import Testing

/// Uses of monitors that end by cancelling, in a process of their own with a watchdog. There the script sends flat out,
/// so that some delivery always meets the cancellation.
@Suite("A cancellation that meets a delivery", .serialized, .timeLimit(.minutes(5)))
struct DeadlockTests {
  @Test(
    "stops no other, however a program ends its use of a monitor",
    arguments: ["waits", "timeouts", "iterations", "phases", "works", "streams", "releases"])
  func loop(_ kind: String) async throws {
    let outcome = try await RunningProgram.run(
      [RunningProgram.built("monitor-load"), "loop", kind, "1.5"], within: .seconds(120))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
  }
}

/// The same with ten thousand uses in one program. It runs beside the others, because either takes minutes under a
/// sanitizer.
@Suite("A cancellation of many that meets a delivery", .timeLimit(.minutes(5)))
struct CrowdDeadlockTests {
  @Test func `stops none of ten thousand waits, together on a monitor or each on its own`() async throws {
    let outcome = try await RunningProgram.run(
      [RunningProgram.built("monitor-load"), "crowd", "10000"], within: .seconds(240))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
  }
}

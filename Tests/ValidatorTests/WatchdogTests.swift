import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The messages of a program beside the service to its watchdog, with the test as the service manager. All three share
/// the code.
@Suite("The watchdog of the programs beside the service", .timeLimit(.minutes(2)))
struct WatchdogTests {
  /// A service manager, a program, and the folder of the manager's socket, which lives as long as the value.
  private typealias Stage = (manager: RunningProgram, program: RunningProgram, directory: ScratchDirectory)

  private static func start(_ environment: [String: String?]) async throws -> Stage {
    let directory = try ScratchDirectory()
    let manager = try Python.datagrams(at: directory("notify"))
    _ = try await manager.output.wait(lines: 1)
    let program = try RunningProgram(
      [RunningProgram.built("pathmonitor-validation"), "--socket", directory("socket")],
      environment: environment.merging(["NOTIFY_SOCKET": directory("notify")]) { $1 })
    _ = try await manager.output.wait(lineWith: "READY=1")
    return (manager, program, directory)
  }

  @Test func `the watchdog gets messages from a living program, and none from one that hangs`() async throws {
    let stage = try await Self.start(["WATCHDOG_USEC": "200000"])
    let (manager, program) = (stage.manager, stage.program)
    @Sendable func count(_ lines: [String]) -> Int { lines.count { $0.contains("WATCHDOG=1") } }
    _ = try await manager.output.wait(for: "3 messages", within: .seconds(60)) { count($0) >= 3 ? true : nil }
    program.send(SIGSTOP)
    await #expect(throws: NothingCame.self) {
      let before = manager.output.lines.count
      // A message that is under way may still come.
      _ = try await manager.output.wait(for: "silence", within: .seconds(2)) { $0.count > before + 3 ? true : nil }
    }
    let before = count(manager.output.lines)
    program.send(SIGCONT)
    _ = try await manager.output.wait(for: "another", within: .seconds(60)) { count($0) > before ? true : nil }
    program.send(SIGTERM)
    #expect(try await program.waitForExit() == 0)
  }

  @Test func `without a watchdog there are no messages for one`() async throws {
    let stage = try await Self.start([:])
    await #expect(throws: NothingCame.self) {
      try await stage.manager.output.wait(lineWith: "WATCHDOG", within: .seconds(1))
    }
    stage.program.kill()
  }

  @Test(arguments: ["connections", "history", "validation"])
  func `a unit is watched, and does not wake its program more than once in a minute`(name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let unit = try String(
      contentsOf: folder.deletingLastPathComponent().appendingPathComponent("systemd/pathmonitor-\(name).service"),
      encoding: .utf8)
    #expect(unit.contains("\nWatchdogSec=2min\n") && unit.contains("\nType=notify\n"))
  }
}

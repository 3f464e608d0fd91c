import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("Programs in a bare environment", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct BareEnvironmentTests {
  /// Runs a command line of the shell in which `$1` is the program and `$2` the argument.
  private static func shell(_ script: String, _ program: String, _ argument: String = "") async throws
    -> RunningProgram.Outcome
  {
    try await RunningProgram.run(["sh", "-c", script, "sh", program, argument])
  }

  private static let withoutProc = "exec unshare --mount sh -c 'umount -l /proc && exec \"$@\"' sh \"$@\""

  @Test(arguments: [RunningProgram.pathctl, RunningProgram.pathmonitord])
  func `arguments count where /proc is not mounted`(program: String) async throws {
    let version = try await Self.shell(Self.withoutProc, program, "--version")
    #expect(version.status == 0)
    #expect(version.output.contains(" "))
    #expect(!version.output.contains("connected"))
    let mistake = try await Self.shell(Self.withoutProc, program, "--sokcet")
    #expect(mistake.status == 64)
    #expect(mistake.complaints.contains("there is no option '--sokcet'"))
  }

  @Test(arguments: [RunningProgram.pathctl, RunningProgram.pathmonitord])
  func `output that cannot be printed is a failure, and goes nowhere else`(program: String) async throws {
    #expect(try await Self.shell("exec \"$1\" --help >&-", program).status == 69)
    #expect(try await Self.shell("exec \"$1\" --help <&- >&- 2>&-", program).status == 69)
  }

  @Test func `a socket never gets the number of a descriptor that was closed at the start`() async throws {
    let daemon = try await TestDaemon()
    for verb in ["status", "health", "watch"] {
      let outcome = try await Self.shell(
        "exec \"$1\" \(verb) --socket \"$2\" <&- >&- 2>&-", RunningProgram.pathctl, daemon.socket)
      #expect(outcome.status == 69, "\(verb)")
    }
    try await daemon.stop()
  }

  @Test func `a program with more rights than its caller ignores all variables`() async throws {
    let directory = try ScratchDirectory()
    // Root starts it, and it runs as another user: the kernel marks it in the same way as the reverse (AT_SECURE).
    let script = """
      cp "$1" "$2/program" && chown 65534 "$2/program" && chmod 4755 "$2/program" && chmod 755 "$2" &&
      PATHMONITOR_SOCKET=/named/by/variable exec "$2/program" health
      """
    let marked = try await Self.shell(script, RunningProgram.pathctl, directory.path)
    #expect(!marked.complaints.contains("/named/by/variable"), "\(marked)")
    #expect(marked.complaints.contains("/run/pathmonitor/"), "\(marked)")
    let plain = try await Self.shell(
      "PATHMONITOR_SOCKET=/named/by/variable exec \"$1\" health", RunningProgram.pathctl)
    #expect(plain.complaints.contains("/named/by/variable"))
  }
}

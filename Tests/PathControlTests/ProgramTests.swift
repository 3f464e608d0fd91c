import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The built program, as a user calls it.
@Suite("pathctl as a process")
struct ProgramTests {
  /// Runs a line with bash, where `$pathctl` is the program.
  private static func run(_ line: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(["bash", "-c", line], environment: ["pathctl": RunningProgram.pathctl])
  }

  @Test func `a usage error is one line on standard error and 64`() async throws {
    let outcome = try await Self.run("$pathctl status --josn")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathctl: there is no option '--josn' (did you mean '--json'?)"))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: ["--version", "help", "help watch", "status --help"])
  func `help and version go to standard output`(arguments: String) async throws {
    let outcome = try await Self.run("$pathctl \(arguments)")
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.complaints.isEmpty)
  }

  @Test(arguments: ["status", "status --settle 10ms", "route 127.0.0.1"])
  func `JSON is one object on one line, and the exit status is that of the path`(verb: String) async throws {
    let outcome = try await Self.run("$pathctl \(verb) --direct --json")
    #expect(outcome.output.last == "\n")
    #expect(outcome.output.filter { $0 == "\n" }.count == 1)
    let path = try #require(try JSONValue(parsing: Array(outcome.output.utf8)).objectValue)
    #expect(outcome.status == (path["status"]?.stringValue == "satisfied" ? 0 : 1))
    #expect(path["knowledge"]?.stringValue == "known")
    if verb.hasPrefix("route") { #expect(path["interfaceType"]?.stringValue == "loopback") }
  }

  @Test func `explain and interfaces print JSON objects too`() async throws {
    let explained = try JSONValue(parsing: Array(try await Self.run("$pathctl explain --direct --json").output.utf8))
    #expect(explained.objectValue?["path"]?.objectValue?["status"] != nil)
    #expect((explained.objectValue?["steps"]?.arrayValue?.count ?? 0) > 3)
    let listed = try JSONValue(parsing: Array(try await Self.run("$pathctl interfaces --direct --json").output.utf8))
    #expect(listed.objectValue?["interfaces"]?.arrayValue != nil)
  }

  @Test func `a link-local destination is refused with a sentence`() async throws {
    let outcome = try await Self.run("$pathctl route fe80::1")
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("link-local"))
  }

  @Test func `watch ends quietly when its reader goes away, also while the path does not change`() async throws {
    let outcome = try await Self.run("$pathctl watch --direct --json | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(outcome.complaints.isEmpty)
    #expect(outcome.output.hasSuffix("\n0\n"))
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `a signal ends watch with its number`(signal: String, status: Int) async throws {
    // After the first line the program watches for signals.
    let outcome = try await Self.run(
      "exec 3< <(exec $pathctl watch --direct --json); pid=$!; read -r line <&3; kill -\(signal) $pid; wait $pid; echo $?"
    )
    #expect(outcome.output == "\(status)\n")
    #expect(outcome.complaints.isEmpty)
  }

  @Test func `a full disk is reported, and is not taken for an answer`() async throws {
    let outcome = try await Self.run("$pathctl status --direct > /dev/full")
    #expect(outcome.status == 69)
    #expect(outcome.complaints.contains("No space left on device"))
  }

  @Test func `if netlink is refused, one sentence has the reason and the remedy, and the status is 69`() async throws {
    let outcome = try await Python.runWithoutNetlink([RunningProgram.pathctl, "status", "--direct"])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathctl: cannot open a netlink socket: "))
    #expect(outcome.complaints.contains("RestrictAddressFamilies=AF_NETLINK"))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test func `on a terminal watch hides the cursor while it runs and restores it at the end`() async throws {
    let outcome = try await Self.run(
      """
      python3 - "$pathctl" <<'END'
      import os, pty, signal, sys, time
      pid, terminal = pty.fork()
      if pid == 0:
          os.environ["TERM"] = "xterm"
          os.execv(sys.argv[1], [sys.argv[1], "watch", "--direct"])
      seen = b""
      while b"q ends" not in seen:
          seen += os.read(terminal, 4096)
      os.kill(pid, signal.SIGINT)
      try:
          while True:
              seen += os.read(terminal, 4096)
      except OSError:
          pass
      print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.startswith(b"\\x1b[?25l"), seen.endswith(b"\\x1b[?25h"))
      END
      """)
    #expect(outcome.output == "130 True True\n", "\(outcome.complaints)")
  }
}

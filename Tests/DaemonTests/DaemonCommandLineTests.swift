import Foundation
import ProcessTestSupport
import Testing

@Suite("The command line of pathmonitord")
struct DaemonCommandLineTests {
  private static func run(_ arguments: [String]) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run([RunningProgram.pathmonitord] + arguments)
  }

  @Test(arguments: [
    ("--sokcet /x", "there is no option '--sokcet' (did you mean '--socket'?). Correct use: pathmonitord"),
    ("--settle=-1s", "'-1s' is no time for --settle: '-1s' does not start with a number."),
    ("serve", "'serve' is one argument too many. Correct use: pathmonitord [--socket PATH]"),
    ("--check-config a b", "'b' is one argument too many."),
  ])
  func `a wrong use is one clear line and 64`(line: String, message: String) async throws {
    let outcome = try await Self.run(line.split(separator: " ").map(String.init))
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathmonitord: \(message)"), "\(outcome.complaints)")
    #expect(outcome.complaints.isOneLine)
  }

  @Test(arguments: [("--help", "--sample-address ADDRESS"), ("-h", "-h, --help"), ("-V", "pathmonitord ")])
  func `help and version go to standard output`(option: String, text: String) async throws {
    let outcome = try await Self.run([option])
    #expect(outcome.status == 0 && outcome.complaints.isEmpty)
    #expect(outcome.output.contains(text) && outcome.output.isOneLine == (option == "-V"))
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test func `the probes and the settle time of the command line replace those of the file`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("conf", "[Monitor]\nProbe=192.0.2.77\nSettle=1s\n")
    let daemon = try await TestDaemon(["--config", directory("conf"), "--probe", "192.0.2.78", "--settle=20ms"])
    let outcome = try await daemon.pathctl("explain")
    #expect(outcome.output.contains("192.0.2.78"))
    #expect(!outcome.output.contains("192.0.2.77"))
    try await daemon.stop()
  }

  @Test func `if netlink is refused, one sentence reports it, and the status is 69`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await Python.runWithoutNetlink([RunningProgram.pathmonitord, "--socket", directory("socket")])
    #expect(outcome.status == 69)
    #expect(outcome.complaints.hasPrefix("pathmonitord: cannot open a netlink socket: "), "\(outcome.complaints)")
    #expect(outcome.complaints.isOneLine)
    #expect(!FileManager.default.fileExists(atPath: directory("socket")), "what listens no more leaves no socket")
  }

  @Test func `a configuration file whose name is not UTF-8 is named, with the way out`() async throws {
    let directory = try ScratchDirectory()
    let script = #"""
      : > "$1/c.conf" && mkdir "$1/c.conf.d" && printf '[Monitor]\n' > "$1/c.conf.d/$(printf '90-caf\351.conf')"
      exec "$2" --check-config --config "$1/c.conf"
      """#
    let outcome = try await RunningProgram.run(["sh", "-c", script, "sh", directory.path, RunningProgram.pathmonitord])
    #expect(outcome.status == 1)
    #expect(outcome.complaints.contains("is not UTF-8. The file is not used; rename it, then reload."), "\(outcome)")
  }
}

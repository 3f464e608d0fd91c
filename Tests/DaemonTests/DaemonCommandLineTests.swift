import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("The command line of pathmonitord")
struct DaemonCommandLineTests {
  private static func run(_ arguments: [String]) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run([RunningProgram.pathmonitord] + arguments)
  }

  @Test(
    arguments: [
      (["--sokcet", "/x"], "there is no option '--sokcet' (did you mean '--socket'?). Correct use: pathmonitord"),
      (["--socket"], "--socket PATH lacks its value. Write for example --socket ~/.pathmonitor/socket."),
      (["--socket="], "'' is no path for --socket: it is empty. Write for example --socket ~/.pathmonitor/socket."),
      (["--config"], "--config PATH lacks its value. Write for example --config /etc/pathmonitor/pathmonitord.conf."),
      (["--config", ""], "'' is no path for --config: it is empty."),
      (["--settle"], "--settle TIME lacks its value. Write for example --settle 200ms."),
      (["--settle", "5x"], "'5x' is no time for --settle: 'x' is not a unit (us, ms, s, min, h, d, w)."),
      (["--settle=-1s"], "'-1s' is no time for --settle: '-1s' does not start with a number."),
      (
        ["--probe", "example.org"],
        "'example.org' is no address for --sample-address: an IPv4 or IPv6 address in numbers"
      ),
      (["--sample-address"], "--sample-address ADDRESS lacks its value. Write for example --sample-address 10.0.0.1."),
      (["--verbose=yes"], "--verbose takes no value, but got 'yes'. Write just --verbose."),
      (["--help=me"], "--help takes no value, but got 'me'. Write just --help."),
      (["-x"], "there is no option '-x'"),
      (["serve"], "'serve' is one argument too many. Correct use: pathmonitord [--socket PATH]"),
      (["--", "--help"], "'--help' is one argument too many."),
      ([""], "'' is one argument too many."),
    ] as [([String], String)])
  func `a wrong use is one clear line and 64`(arguments: [String], message: String) async throws {
    let outcome = try await Self.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathmonitord: \(message)"), "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: ["--help", "-h"])
  func `help goes to standard output and names every option`(option: String) async throws {
    let outcome = try await Self.run([option])
    #expect(outcome.status == 0)
    #expect(outcome.complaints.isEmpty)
    for name in [
      "--socket PATH", "--config PATH", "--settle TIME", "--sample-address ADDRESS", "--verbose", "-h, --help",
    ] {
      #expect(outcome.output.contains(name))
    }
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test(arguments: ["--version", "-V"])
  func `the version goes to standard output in one line`(option: String) async throws {
    let outcome = try await Self.run([option])
    #expect(outcome.status == 0)
    #expect(outcome.complaints.isEmpty)
    #expect(outcome.output.hasPrefix("pathmonitord "))
    #expect(outcome.output.filter { $0 == "\n" }.count == 1)
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
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
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

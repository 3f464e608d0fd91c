import Glibc
import SystemIO
import Testing

@Suite("The output of programs")
struct ProgramOutputTests {
  private static func run(
    _ script: String, limit: Int = 1 << 20, within time: Duration = .seconds(60)
  ) throws(SystemError) -> ProgramOutput {
    try ProgramOutput(of: ["sh", "-c", script], limit: limit, until: .now.advanced(by: time))
  }

  @Test func `all that a program prints is read, and its exit status`() throws {
    let large = try Self.run("head -c 300000 /dev/zero; exit 3")
    #expect(large.bytes == [UInt8](repeating: 0, count: 300_000))
    #expect(large.ending == .exited(3))
    #expect(try Self.run("true") == Self.run(": >/dev/null"))
  }

  @Test func `a program that is killed is told from one that exits`() throws {
    #expect(try Self.run("kill -9 $$").ending == .killed(signal: SIGKILL))
  }

  private static let leaving = "import os, time; os.setpgid(0, os.getpgid(os.getppid())); time.sleep(1000)"

  @Test(
    arguments: [
      ("sleep 1000 & wait", .milliseconds(50), ETIMEDOUT), ("exec python3 -c '\(leaving)'", .seconds(1), ETIMEDOUT),
      ("cat /dev/zero", .seconds(60), EMSGSIZE),
    ] as [(String, Duration, Int32)])
  func `a program that does not end in time, even in another group, or prints too much is killed`(
    script: String, time: Duration, errorNumber: Int32
  ) {
    let error = #expect(throws: SystemError.self) { _ = try Self.run(script, limit: 100_000, within: time) }
    #expect(error?.errorNumber == errorNumber)
  }

  @Test func `a program that is not there is an error`() throws {
    let error = #expect(throws: SystemError.self) {
      _ = try ProgramOutput(of: ["/no/such/program"], limit: 1, until: .now.advanced(by: .seconds(60)))
    }
    #expect(error?.errorNumber == ENOENT)
  }

  @Test func `the program has no input, and no descriptor of the pipe but its output`() throws {
    let listed = try Self.run("cat; readlink /proc/$$/fd/1; ls -l /proc/$$/fd | grep -c pipe:")
    let lines = String(decoding: listed.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.first?.hasPrefix("pipe:") == true)
  }
}

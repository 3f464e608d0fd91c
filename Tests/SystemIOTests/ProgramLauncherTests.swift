import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Starting programs")
struct ProgramLauncherTests {
  private static func words(_ words: String...) -> [[CChar]] { words.map { Array($0.utf8CString) } }

  /// Runs a script to its end; returns what it has written to the file `$OUT`.
  private static func run(
    _ script: String, adding variables: [(name: String, value: String)] = [], watching signals: [Int32] = []
  ) throws -> (group: ProcessGroup, output: [String]) {
    let directory = try ScratchDirectory()
    let path = directory("out")
    // On a thread of its own, whose signals no other test needs.
    let group = try Background {
      // It inherits the blocked signals of the thread that makes it.
      var none = sigset_t()
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
      let launcher = try ProgramLauncher()
      let watch = try SignalWatch(signals)
      _ = watch.readSignals()
      return try launcher.start(
        words("sh", "-c", script), adding: variables + [("OUT", path)], input: .none)
    }.wait()
    var status: Int32 = 0
    try systemCall("wait") { unsafe waitpid(group.number, &status, 0) }
    let output = try Files.read(path)
    return (group, String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  @Test func `a program is the first of a group of its own, which is empty after it`() throws {
    let (group, output) = try Self.run("echo $$ > $OUT; cut -d ' ' -f 5 /proc/$$/stat >> $OUT")
    #expect(output == ["\(group.number)", "\(group.number)"])
    #expect(group.isEmpty)
    try group.send(SIGTERM)
  }

  @Test func `variables are added to the environment, or replace what is there, once`() throws {
    let variables = [("ADDED", "a=b c"), ("PATHS", "1"), ("HOME", "elsewhere")]
    let (_, output) = try Self.run("env | grep -E '^(ADDED|PATHS|HOME|PATH)=' | sort > $OUT", adding: variables)
    #expect(output.count == 4)
    #expect(output.contains("ADDED=a=b c") && output.contains("HOME=elsewhere"))
    #expect(output.contains { $0.hasPrefix("PATH=/") })
  }

  @Test func `signals that are watched here are not blocked there`() throws {
    // A shell unblocks all signals when it forks, so it executes grep in its own place.
    let (_, output) = try Self.run(
      "exec grep SigBlk /proc/self/status > $OUT", watching: [SIGUSR1, SIGHUP, SIGCHLD])
    #expect(output == ["SigBlk:\t0000000000000000"])
  }

  @Test func `a program without input reads the null device`() throws {
    let (_, output) = try Self.run("cat > $OUT; readlink /proc/$$/fd/0 >> $OUT")
    #expect(output == ["/dev/null"])
  }

  @Test(arguments: [("/no/such/program", ENOENT), ("/", EACCES), ("/dev/null/x", ENOTDIR)] as [(String, Int32)])
  func `a program that cannot be started throws the errno of execve`(path: String, errorNumber: Int32) throws {
    let launcher = try ProgramLauncher()
    let error = try #require(throws: SystemError.self) { try launcher.start(Self.words(path)) }
    #expect(error.errorNumber == errorNumber)
  }

  @Test func `an ignored signal differs from one that has a handler or none`() {
    let before = signal(SIGXFSZ, SIG_IGN)
    #expect(SignalWatch.isIgnored(SIGXFSZ))
    _ = signal(SIGXFSZ) { _ in }
    #expect(!SignalWatch.isIgnored(SIGXFSZ))
    _ = signal(SIGXFSZ, before)
    #expect(!SignalWatch.isIgnored(SIGXFSZ))
  }

  @Test func `output without a reader does not end us, and ends the programs that we start`() throws {
    Output.failWithoutSignals()
    let (_, output) = try Self.run("grep -E 'SigIgn' /proc/self/status | sed 's/.*\\(....\\)$/\\1/' > $OUT")
    // SIGPIPE is 13: the bit 0x1000.
    #expect(output.first.flatMap { Int($0, radix: 16) }.map { $0 & 0x1000 } == 0)
  }

  @Test(arguments: [(.exited(3), 3), (.killed(signal: SIGTERM), 143)] as [(ChildProcesses.Ending, Int32)])
  func `an end has the status that shells give it`(ending: ChildProcesses.Ending, status: Int32) {
    #expect(ending.status == status)
  }
}

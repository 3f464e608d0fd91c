import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("The socket of pathmonitord")
struct SocketFileTests {
  private static func refuse(_ path: String, directory: String? = nil) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run([RunningProgram.pathmonitord, "--socket", path], directory: directory)
  }

  private static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private static func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test(arguments: ["000", "077", "777"])
  func `every user may connect, whatever the umask`(mask: String) async throws {
    let directory = try ScratchDirectory()
    let program = try RunningProgram(
      [
        "bash", "-c", "umask \(mask); exec \"$0\" --verbose --socket \"$1\"", RunningProgram.pathmonitord,
        directory("socket"),
      ])
    _ = try await program.complaints.wait(lines: 1)
    #expect(Self.mode(directory("socket")) == 0o666)
    program.send(SIGTERM)
    #expect(try await program.waitForExit() == 0)
  }

  @Test func `the socket of a killed daemon is replaced`() async throws {
    let directory = try ScratchDirectory()
    let killed = try await TestDaemon(socket: directory("socket"))
    killed.program.kill()
    #expect(try await killed.program.waitForExit() == 137)
    #expect(Self.exists(directory("socket")))
    let successor = try await TestDaemon(socket: directory("socket"))
    #expect(try await successor.pathctl("health").status == 0)
    try await successor.stop()
  }

  @Test func `a second daemon names the first one's process and leaves it alone`() async throws {
    let daemon = try await TestDaemon()
    let outcome = try await Self.refuse(daemon.socket)
    #expect(outcome.status == 69)
    #expect(
      outcome.complaints == """
        pathmonitord: another daemon, pid \(daemon.program.processIdentifier), listens at \(daemon.socket) already. \
        End it, or choose another path with --socket.

        """)
    #expect(try await daemon.pathctl("health").status == 0)
    try await daemon.stop()
  }

  @Test func `of daemons that start at the same moment exactly one serves`() async throws {
    for _ in 0..<5 {
      let directory = try ScratchDirectory()
      // A socket without a listener makes both of them remove it.
      _ = try await Python.run("import socket, sys; socket.socket(1).bind(sys.argv[1])", directory("socket"))
      let programs = try (0..<4).map { _ in
        try RunningProgram([RunningProgram.pathmonitord, "--verbose", "--socket", directory("socket")])
      }
      let firstLines = try await withThrowingTaskGroup(of: String.self) { group in
        for program in programs { group.addTask { try await program.complaints.wait(lines: 1)[0] } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(firstLines.count { $0.contains("another daemon, pid") } == 3, "\(firstLines)")
      let outcome = try await RunningProgram.pathctl("health", "--socket", directory("socket"))
      #expect(outcome.status == 0)
      for program in programs { program.send(SIGTERM) }
      for program in programs { try await program.waitForExit() }
      #expect(!Self.exists(directory("socket")))
    }
  }

  @Test func `a lock of another process on the directory delays the start, and does not prevent it`() async throws {
    let directory = try ScratchDirectory()
    let holder = try RunningProgram(
      [
        "python3", "-u", "-c",
        "import fcntl, os, sys, time; fcntl.flock(os.open(sys.argv[1], 0), 2); print('held'); time.sleep(1000)",
        directory.path,
      ])
    _ = try await holder.output.wait(lines: 1)
    let daemon = try await TestDaemon(socket: directory("socket"))
    #expect(try await daemon.pathctl("health").status == 0)
    try await daemon.stop()
    holder.kill()
  }

  @Test(arguments: ["file", "empty directory", "datagram socket", "pipe"])
  func `a file that is no stream socket stays, and is named`(kind: String) async throws {
    let directory = try ScratchDirectory()
    let path = directory("socket")
    var owner: RunningProgram?
    let make =
      switch kind {
      case "file": "open(path, 'w').write('precious')"
      case "empty directory": "os.mkdir(path)"
      case "pipe": "os.mkfifo(path)"
      default: ""
      }
    if kind == "datagram socket" {
      owner = try Python.datagrams(at: path)
      _ = try await owner?.output.wait(lines: 1)
    }
    _ = try await Python.run("import os, socket, sys; path = sys.argv[1]; \(make)", path)
    let outcome = try await Self.refuse(path)
    #expect(outcome.status == 69)
    #expect(
      outcome.complaints
        == "pathmonitord: cannot listen at \(path): something is there that is no stream socket. Remove it.\n")
    #expect(Self.exists(path))
    if kind == "file" { #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8)) }
  }

  @Test func `a directory that is missing is named`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await Self.refuse(directory("none/socket"))
    #expect(outcome.status == 69)
    #expect(
      outcome.complaints == """
        pathmonitord: cannot listen at \(directory("none/socket")): there is no directory \(directory("none")). \
        Make it, or name another path.

        """)
  }

  @Test func `a relative path is one in the working directory`() async throws {
    let directory = try ScratchDirectory()
    let program = try RunningProgram(
      [RunningProgram.pathmonitord, "--verbose", "--socket", "here"], directory: directory.path)
    _ = try await program.complaints.wait(lines: 1)
    #expect(Self.exists(directory("here")))
    let second = try await Self.refuse("here", directory: directory.path)
    #expect(second.complaints.contains("pid \(program.processIdentifier)"))
    program.send(SIGTERM)
    #expect(try await program.waitForExit() == 0)
    #expect(!Self.exists(directory("here")))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends it with 0, and its socket goes`(signal: Int32) async throws {
    let directory = try ScratchDirectory()
    let daemon = try await TestDaemon(socket: directory("socket"))
    let watcher = try daemon.start("watch", "--json")
    _ = try await watcher.output.wait(lines: 1)
    daemon.program.send(signal)
    #expect(try await daemon.program.waitForExit() == 0)
    #expect(!Self.exists(directory("socket")))
  }

  @Test func `a socket that replaced the daemon's own stays`() async throws {
    let directory = try ScratchDirectory()
    let daemon = try await TestDaemon(socket: directory("socket"))
    _ = try await Python.run(
      "import os, socket, sys; os.unlink(sys.argv[1]); socket.socket(1).bind(sys.argv[1])", directory("socket"))
    try await daemon.stop()
    #expect(Self.exists(directory("socket")))
  }
}

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

  @Test func `every user may connect, whatever the umask`() async throws {
    let directory = try ScratchDirectory()
    let daemon = try await TestDaemon(
      socket: directory("socket"), launcher: ["bash", "-c", "umask 077; exec \"$@\"", "bash"])
    let permissions = try FileManager.default.attributesOfItem(atPath: daemon.socket)[.posixPermissions]
    #expect(permissions as? Int == 0o666)
    try await daemon.stop()
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
    for _ in 0..<3 {
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

  @Test(arguments: [
    ("echo precious >$0", "", "something is there that is no stream socket. Remove it."),
    ("mkdir $0", "", "something is there that is no stream socket. Remove it."),
    ("# a datagram socket", "", "something is there that is no stream socket. Remove it."),
    (":", "/socket", "there is no directory PATH. Make it, or name another path."),
  ])
  func `a file that is no stream socket stays, and is named, as a directory that is missing`(
    make: String, behind: String, problem: String
  ) async throws {
    let directory = try ScratchDirectory()
    let path = directory("place")
    try await RunningProgram.succeed(["sh", "-c", make, path])
    let owner = make.hasPrefix("#") ? try Python.datagrams(at: path) : nil
    _ = try await owner?.output.wait(lines: 1)
    let outcome = try await Self.refuse(path + behind)
    #expect(outcome.status == 69)
    let words = problem.replacing("PATH", with: path)
    #expect(outcome.complaints == "pathmonitord: cannot listen at \(path)\(behind): \(words)\n")
    #expect(Self.exists(path) == (make != ":"))
    if make.hasPrefix("echo") { #expect(FileManager.default.contents(atPath: path) == Data("precious\n".utf8)) }
    owner?.kill()
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

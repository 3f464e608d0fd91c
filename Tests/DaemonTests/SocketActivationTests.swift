import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The protocol of sd_listen_fds(3), without systemd.
@Suite("Sockets handed over to pathmonitord")
struct SocketActivationTests {
  /// Starts the daemon with descriptor 3 made by the Python expression, which may use `path`.
  private static func start(
    _ descriptor: String, in directory: ScratchDirectory, process: String = "os.getpid()", isBlocking: Bool = false
  ) throws -> RunningProgram {
    try RunningProgram([
      "python3", "-c",
      """
      import os, socket, sys
      path = sys.argv[2]
      def listener(kind=socket.SOCK_STREAM, listens=True):
          s = socket.socket(socket.AF_UNIX, kind)
          s.bind(path)
          if listens: s.listen(8)
          s.setblocking(\(isBlocking ? "True" : "False"))
          return s
      made = \(descriptor)
      os.dup2(made.fileno(), 3)
      os.set_inheritable(3, True)
      os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(\(process)), LISTEN_FDNAMES="varlink")
      os.execv(sys.argv[1], [sys.argv[1], "--verbose", "--socket", sys.argv[3]])
      """, RunningProgram.pathmonitord, directory("handed"), directory("own"),
    ])
  }

  private static func health(_ path: String) async throws -> Int32 {
    try await RunningProgram.pathctl("health", "--socket", path).status
  }

  @Test(arguments: [false, true])
  func `it serves at the socket it is handed, blocking or not, and leaves the file`(isBlocking: Bool) async throws {
    let directory = try ScratchDirectory()
    let program = try Self.start("listener()", in: directory, isBlocking: isBlocking)
    _ = try await program.complaints.wait(lines: 1)
    for _ in 0..<3 { #expect(try await Self.health(directory("handed")) == 0) }
    #expect(!FileManager.default.fileExists(atPath: directory("own")))
    program.send(SIGTERM)
    #expect(try await program.waitForExit() == 0)
    #expect(FileManager.default.fileExists(atPath: directory("handed")))
  }

  @Test func `sockets that are meant for another process are left alone`() async throws {
    let directory = try ScratchDirectory()
    let program = try Self.start("listener()", in: directory, process: "1")
    _ = try await program.complaints.wait(lines: 1)
    #expect(try await Self.health(directory("own")) == 0)
    program.send(SIGTERM)
    #expect(try await program.waitForExit() == 0)
  }

  @Test(arguments: ["open('/dev/null')", "listener(listens=False)", "listener(socket.SOCK_SEQPACKET)"])
  func `a descriptor that is no listening stream socket is refused with a sentence`(descriptor: String) async throws {
    let directory = try ScratchDirectory()
    let program = try Self.start(descriptor, in: directory)
    #expect(try await program.waitForExit() == 69)
    #expect(
      program.complaints.text == """
        pathmonitord: descriptor 3, handed over by the service manager, is no listening Unix stream socket. \
        Use ListenStream= with a path in the socket unit.

        """)
  }
}

internal import Glibc

/// A daemon of a test's own, at a socket of its own.
package struct TestDaemon: Sendable {
  package let program: RunningProgram
  package let socket: String
  private let directory: ScratchDirectory?

  /// Starts it and waits until it answers.
  ///
  /// - Parameters:
  ///   - socket: The path of its socket; `nil` for a new one.
  ///   - launcher: The words that start it.
  package init(
    _ arguments: [String] = [], socket: String? = nil, environment: [String: String?] = [:], namespace: String? = nil,
    launcher: [String] = []
  ) async throws {
    directory = socket == nil ? try ScratchDirectory() : nil
    self.socket = socket ?? directory.map { $0("socket") } ?? ""
    program = try RunningProgram(
      launcher + [RunningProgram.pathmonitord, "--verbose", "--socket", self.socket] + arguments,
      environment: environment,
      namespace: namespace)
    // It writes its first path after it has begun to listen.
    _ = try await program.complaints.wait(for: "the first path", within: .seconds(20)) { lines in
      lines.first { $0.contains("offline") || $0.contains("connected") || $0.contains("not known") }
    }
  }

  /// Runs `pathctl` with this daemon's socket.
  package func pathctl(
    _ arguments: String..., environment: [String: String?] = [:], namespace: String? = nil
  ) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      [RunningProgram.pathctl] + arguments + ["--socket", socket], environment: environment, namespace: namespace)
  }

  /// Starts `pathctl` with this daemon's socket.
  package func start(_ arguments: String..., namespace: String? = nil) throws -> RunningProgram {
    try RunningProgram([RunningProgram.pathctl] + arguments + ["--socket", socket], namespace: namespace)
  }

  /// Ends it in the ordinary way.
  package func stop() async throws {
    program.send(SIGTERM)
    try await program.waitForExit()
  }
}

extension TestDaemon {
  /// Waits until there are so many subscribers beside the daemon itself.
  package func waitForSubscribers(_ count: Int) async throws {
    let outcome = try await Python.run(
      """
      import json, socket, sys
      s = socket.socket(1)
      s.connect(sys.argv[1])
      while True:
          s.sendall(b'{"method":"io.pathmonitor.PathMonitor.GetHealth"}\\0')
          reply = b""
          while not reply.endswith(b"\\0"):
              reply += s.recv(65536)
          if json.loads(reply[:-1])["parameters"]["health"]["subscribers"] > int(sys.argv[2]):
              break
      """, socket, "\(count)")
    guard outcome.status == 0 else { throw NothingCame(description: "the daemon's health: \(outcome.complaints)") }
  }
}

import ProcessTestSupport

/// A service that the test plays: it answers each call with the next reply, as ``Python/service(at:_:)`` takes them.
struct ScriptedService: Sendable {
  private let directory: ScratchDirectory
  private let program: RunningProgram?
  var socket: String { directory("socket") }

  /// Starts it and waits until it listens. Without replies nobody listens at the socket.
  init(_ replies: [String]) async throws {
    directory = try ScratchDirectory()
    program = replies.isEmpty ? nil : try Python.service(at: directory("socket"), replies)
    _ = try await program?.output.wait(lines: 1)
  }

  /// Runs `pathctl` with the words of a line.
  func pathctl(_ line: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.pathctl(line: line, at: socket)
  }

  /// Starts `pathctl`.
  func start(_ words: [String]) throws -> RunningProgram {
    try RunningProgram([RunningProgram.pathctl] + words, environment: ["PATHMONITOR_SOCKET": socket])
  }

  /// Waits for the first calls, and returns them.
  func calls(_ count: Int) async throws -> [String] {
    Array(try await program?.output.wait(lines: count + 1).dropFirst() ?? [])
  }
}

extension RunningProgram {
  /// Runs `pathctl` with the words of a line and the service at the socket.
  static func pathctl(line: String, at socket: String, namespace: String? = nil) async throws -> Outcome {
    let words = line.split(separator: " ").map(String.init)
    return try await run([pathctl] + words, environment: ["PATHMONITOR_SOCKET": socket], namespace: namespace)
  }
}

extension TestDaemon {
  /// Runs `pathctl` with the words of a line.
  func pathctl(line: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.pathctl(line: line, at: socket)
  }
}

extension String {
  /// Whether it is one line with its newline.
  var isOneLine: Bool { hasSuffix("\n") && filter { $0 == "\n" }.count == 1 }
}

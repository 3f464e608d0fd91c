import Foundation
import PathModel
import ProcessTestSupport
import Testing

/// The shell sessions that the README and the page of the service print work as printed.
@Suite("The sessions in the README and on the page of the service")
struct ReadmeSessionTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a page of the repository.
  private static func text(of page: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
  }

  /// The socket that the page starts the service with.
  private static let printedSocket = "$PATHMONITOR_SOCKET"

  /// The command on the page of the service that calls the method, for a service at another socket.
  private static func command(calling method: String, at socket: String) throws -> String {
    let lines = try text(of: "docs/service.md").components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("    $ printf") && $0.contains(".\(method)\"") })
    let command = lines[start].dropFirst("    $ ".count) + lines[start + 1]
    #expect(command.contains(printedSocket))
    return command.replacingOccurrences(of: printedSocket, with: socket)
  }

  @Test func `a path is asked for with socat`() async throws {
    let daemon = try await TestDaemon()
    let outcome = try await RunningProgram.run(
      ["bash", "-c", try Self.command(calling: "GetPath", at: daemon.socket)])
    #expect(outcome.status == 0, "\(outcome.complaints)")
    let reply = try JSONValue(parsing: Array(outcome.output.dropLast().utf8))
    #expect(reply["parameters"]?["path"]?["status"]?.stringValue != nil, "\(outcome.output)")
    #expect(outcome.output.hasPrefix(#"{"parameters":{"path":{"status":""#))
    try await daemon.stop()
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a path is followed with socat`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let daemon = try await TestDaemon(namespace: network.near)
      // Into a pipe tr(1) would write only full buffers; on a terminal it writes at once.
      let watcher = try RunningProgram([
        "stdbuf", "-o0", "bash", "-c", try Self.command(calling: "WatchPath", at: daemon.socket),
      ])
      let first = try await watcher.output.wait(lines: 1)[0]
      #expect(first.contains(#""status":"satisfied""#))
      #expect(first.hasSuffix(#""continues":true}"#))
      try await network.ip("route delete default")
      let second = try await watcher.output.wait(lines: 2)[1]
      #expect(second.contains(#""status":"unsatisfied""#))
      watcher.kill()
      try await daemon.stop()
    }
  }

  /// The text of the README's code block of that language that contains the word.
  private static func block(_ language: String, with word: String) throws -> String {
    let blocks = try text(of: "README.md").components(separatedBy: "```\(language)\n").dropFirst()
    let texts = blocks.compactMap { $0.components(separatedBy: "\n```").first }
    return try #require(texts.first { $0.contains(word) })
  }

  /// Runs a recipe while the default route comes and goes; returns what it prints for each.
  private static func follow(_ words: (_ socket: String) throws -> [String]) async throws -> [String] {
    try await TestNetwork.with { network in
      try await network.connect()
      let daemon = try await TestDaemon(namespace: network.near)
      let recipe = try RunningProgram(try words(daemon.socket), environment: ["PATHMONITOR_SOCKET": daemon.socket])
      _ = try await recipe.output.wait(lines: 1)
      try await network.ip("route delete default")
      let lines = try await recipe.output.wait(lines: 2)
      recipe.kill()
      try await daemon.stop()
      return lines
    }
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `the Python program follows the path`() async throws {
    let program = try Self.block("python", with: "pathmonitor")
    let package = Self.repository.appendingPathComponent("Python").path
    let lines = try await Self.follow { _ in ["env", "PYTHONPATH=\(package)", "python3", "-c", program] }
    #expect(lines[0] == "connected over eth0 (wiredEthernet) False")
    #expect(lines[1].hasPrefix("offline: ") && lines[1].hasSuffix(" False"))
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `the line for a status bar prints a line for each change`() async throws {
    let line = try Self.block("sh", with: "--format")
    #expect(line.hasPrefix("pathctl "))
    let lines = try await Self.follow { _ in ["sh", "-c", "exec \(RunningProgram.pathctl)\(line.dropFirst(7))"] }
    #expect(lines == ["Ethernet eth0", "offline"])
  }
}

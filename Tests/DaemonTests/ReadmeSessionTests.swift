import Foundation
import ProcessTestSupport
import Testing

/// The shell sessions that the README, the page of the service and the guides print work as printed.
@Suite(
  "Printed sessions", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ReadmeSessionTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a page of the repository.
  private static func text(of page: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
  }

  /// The text of the page's code block of that language that contains the word.
  private static func block(_ language: String, of page: String = "README.md", with word: String) throws -> String {
    let blocks = try text(of: page).components(separatedBy: "```\(language)\n").dropFirst()
    let texts = blocks.compactMap { $0.components(separatedBy: "\n```").first }
    return try #require(texts.first { $0.contains(word) })
  }

  /// The command on the page of the service that calls the method.
  private static func command(calling method: String) throws -> String {
    let lines = try text(of: "docs/service.md").components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("    $ printf") && $0.contains(".\(method)\"") })
    return lines[start].dropFirst("    $ ".count) + lines[start + 1]
  }

  /// Runs a recipe while the default route comes and goes; returns what it prints for each.
  private static func follow(_ words: [String]) async throws -> [String] {
    try await TestNetwork.with { network in
      try await network.connect()
      let daemon = try await TestDaemon(namespace: network.near)
      let recipe = try RunningProgram(words, environment: ["PATHMONITOR_SOCKET": daemon.socket])
      _ = try await recipe.output.wait(lines: 1)
      try await network.ip("route delete default")
      let lines = try await recipe.output.wait(lines: 2)
      recipe.kill()
      try await daemon.stop()
      return lines
    }
  }

  @Test func `a path is asked for with socat`() async throws {
    let daemon = try await TestDaemon()
    let outcome = try await RunningProgram.run(
      ["bash", "-c", try Self.command(calling: "GetPath")], environment: ["PATHMONITOR_SOCKET": daemon.socket])
    #expect(outcome.status == 0, "\(outcome.complaints)")
    #expect(outcome.output.hasPrefix(#"{"parameters":{"path":{"status":""#), "\(outcome.output)")
    try await daemon.stop()
  }

  @Test func `a path is followed with socat`() async throws {
    // Into a pipe tr(1) would write only full buffers; on a terminal it writes at once.
    let lines = try await Self.follow(["stdbuf", "-o0", "bash", "-c", try Self.command(calling: "WatchPath")])
    #expect(lines[0].contains(#""status":"satisfied""#) && lines[0].hasSuffix(#""continues":true}"#))
    #expect(lines[1].contains(#""status":"unsatisfied""#))
  }

  @Test func `the Python program follows the path`() async throws {
    let program = try Self.block("python", with: "pathmonitor")
    let package = Self.repository.appendingPathComponent("Python").path
    let lines = try await Self.follow(["env", "PYTHONPATH=\(package)", "python3", "-c", program])
    #expect(lines[0] == "connected over eth0 (wiredEthernet) False")
    #expect(lines[1].hasPrefix("offline: ") && lines[1].hasSuffix(" False"))
  }

  @Test func `the line for a status bar prints a line for each change`() async throws {
    let line = try Self.block("sh", with: "--format")
    #expect(line.hasPrefix("pathctl "))
    let lines = try await Self.follow(["sh", "-c", "exec \(RunningProgram.pathctl)\(line.dropFirst(7))"])
    #expect(lines == ["Ethernet eth0", "offline"])
  }

  @Test func `the overrides of "Testing offline" take the path away, and give it back`() async throws {
    let guide = "Sources/Library/ConnectivityCore/ConnectivityCore.docc/TestingOffline.md"
    let commands = try Self.block("sh", of: guide, with: "pathctl override").components(separatedBy: "\n")
    try #require(commands.count == 4 && commands.allSatisfy { $0.hasPrefix("pathctl override ") })
    try await TestNetwork.with { network in
      try await network.connect()
      let daemon = try await TestDaemon(namespace: network.near)
      var statuses: [Int32] = []
      for command in commands {
        let outcome = try await RunningProgram.run(
          ["bash", "-c", "\(RunningProgram.pathctl)\(command.dropFirst("pathctl".count))"],
          environment: ["PATHMONITOR_SOCKET": daemon.socket])
        #expect(outcome.status == 0, "\(command): \(outcome.complaints)")
        statuses.append(try await daemon.pathctl("check", "connected").status)
      }
      #expect(statuses == [1, 1, 1, 0])
      try await daemon.stop()
    }
  }
}

import Foundation
import ProcessTestSupport
import Testing

/// The shell commands that the guides print work as printed.
@Suite(
  "The sessions in the guides", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct GuideSessionTests {
  private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Sources/Library/ConnectivityCore/ConnectivityCore.docc/TestingOffline.md")

  @Test func `the overrides of "Testing offline" take the path away, and give it back`() async throws {
    let blocks = try String(contentsOf: Self.guide, encoding: .utf8).components(separatedBy: "```sh\n").dropFirst()
    let block = try #require(blocks.first { $0.hasPrefix("pathctl override") }?.components(separatedBy: "\n```").first)
    let commands = block.components(separatedBy: "\n")
    try #require(commands.count == 4 && commands.allSatisfy { $0.hasPrefix("pathctl override ") })
    try await TestNetwork.with { network in
      try await network.connect()
      let daemon = try await TestDaemon(namespace: network.near)
      var statuses: [Int32] = [try await daemon.pathctl("check", "connected").status]
      var list = ""
      for command in commands {
        let outcome = try await RunningProgram.run(
          ["bash", "-c", "\(RunningProgram.pathctl)\(command.dropFirst("pathctl".count))"],
          environment: ["PATHMONITOR_SOCKET": daemon.socket])
        #expect(outcome.status == 0, "\(command): \(outcome.complaints)")
        if command.hasSuffix("list") { list = outcome.output }
        statuses.append(try await daemon.pathctl("check", "connected").status)
      }
      #expect(statuses == [0, 1, 1, 1, 0])
      #expect(list.contains("offline") && list.contains("metered") && list.contains("eth0"), "\(list)")
      try await daemon.stop()
    }
  }
}

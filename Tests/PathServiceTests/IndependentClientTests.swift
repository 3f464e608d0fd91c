import Foundation
import KernelTestSupport
import PathEngine
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathService

/// The interpreter of `scripts/install-python-client`.
private enum IndependentClient {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let environment =
    tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/python")
  static let interpreter = environment.appending(path: "bin/python").path
  static let script = tests.appending(path: "Clients/independent.py").path

  static let isInstalled =
    FileManager.default.isExecutableFile(atPath: interpreter)
    && FileManager.default.fileExists(atPath: environment.appending(path: "requirement").path)
  static let needed: Comment = "needs the varlink client that `make test` puts into .build/python"
}

@Suite(
  "An independent client", .enabled(if: isRoot, Comment(rawValue: needsRoot)),
  .enabled(if: IndependentClient.isInstalled, IndependentClient.needed))
struct IndependentClientTests {
  @Test func `an independent varlink library understands every reply`() async throws {
    try await ServiceStage.run { stage in
      let client = try Spawned([IndependentClient.interpreter, IndependentClient.script, stage.socketPath])
      var words = ""
      var isOutputOver = false
      try stage.watch(client) { data in
        if data.isEmpty { isOutputOver = true }
        words += String(decoding: data, as: UTF8.self)
      }
      var status: Int32?
      let hasEnded = try stage.run(within: .seconds(60)) {
        // Its last word may still wait to be read when it has ended.
        if isOutputOver { status = client.statusIfEnded() }
        return status != nil
      }
      #expect(stage.end(client, hasEnded: hasEnded).isEmpty)
      #expect(status == 0 && words == "done\n")
    }
  }
}

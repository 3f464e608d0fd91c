import Foundation
import KernelTestSupport
import PathEngine
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
  @Test func `a varlink library that knows nothing of us understands everything`() async throws {
    try await ServiceStage.run { stage in
      let process = Process()
      let (output, errors) = (Pipe(), Pipe())
      // Not itself, for then the link that it is would be followed, and the interpreter not know where it belongs.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [IndependentClient.interpreter, IndependentClient.script, stage.socketPath]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      defer { process.kill() }

      var words: [Substring] = []
      let reading = output.fileHandleForReading
      try stage.loop.watch(reading.fileDescriptor) { _ in
        let data = reading.availableData
        if data.isEmpty { stage.loop.unwatch(reading.fileDescriptor) }
        for word in String(decoding: data, as: UTF8.self).split(separator: "\n") {
          words.append(word)
          if word == "cut" { try? stage.namespace.ip(ServiceStage.cut) }
          if word == "restore" { try? stage.namespace.ip(ServiceStage.restore) }
        }
      }
      defer { stage.loop.unwatch(reading.fileDescriptor) }
      let hasEnded = try stage.run(within: .seconds(30)) { !process.isRunning }
      #expect(hasEnded)
      process.kill()
      let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(complaint.isEmpty)
      #expect(process.terminationStatus == 0)
      #expect(words == ["cut", "restore", "cut", "done"])
    }
  }
}

import Foundation
import ProcessTestSupport

/// Runs lines of the cases.
enum Programs {
  /// Runs a line with bash, with `NS` in its environment. Returns its exit status and all it printed.
  ///
  /// Its output goes to a file, so that the test does not wait for programs that the line leaves in the background.
  @discardableResult
  static func shell(_ line: String, namespace: String) async -> (status: Int32, output: String) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pathcase-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    do {
      let outcome = try await RunningProgram.run(
        ["bash", "-c", "exec >\(file) 2>&1; \(line)"], environment: ["NS": namespace], within: .seconds(60))
      let output = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return (outcome.status, output)
    } catch {
      return (-1, "\(error)")
    }
  }
}

/// Lets only so many in at once.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

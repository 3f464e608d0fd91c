import Foundation
import Synchronization

/// Runs programs without holding up a thread.
enum Programs {
  /// The `pathctl` that was built with these tests.
  static let pathctl = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("pathctl").path

  /// Runs a line with bash, with `NS` in its environment. Returns its exit status and all it printed.
  @discardableResult
  static func shell(_ line: String, namespace: String) async -> (status: Int32, output: String) {
    // Into a file, as a program left in the background would keep a pipe open.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pathcase-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = ProcessInfo.processInfo.environment.merging(["NS": namespace]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let handle = try? FileHandle(forWritingTo: file)
    process.standardOutput = handle
    process.standardError = handle
    let status = await withCheckedContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(returning: -1) }
    }
    let output = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (status, output)
  }
}

/// `pathctl watch` in a namespace, and the lines it has printed so far.
final class Watcher: Sendable {
  private struct Received {
    var rest = Data()
    var lines: [String] = []
  }

  private let process: Process
  private let received = Mutex(Received())

  init(namespace: String) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ip", "netns", "exec", namespace, Programs.pathctl, "watch", "--json", "--direct"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.take(data)
    }
    try process.run()
  }

  var lines: [String] { received.withLock { $0.lines } }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  private func take(_ data: Data) {
    received.withLock { received in
      received.rest += data
      while let end = received.rest.firstIndex(of: UInt8(ascii: "\n")) {
        received.lines.append(String(decoding: received.rest[..<end], as: UTF8.self))
        received.rest = Data(received.rest[(end + 1)...])
      }
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

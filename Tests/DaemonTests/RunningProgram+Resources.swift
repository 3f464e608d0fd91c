import Foundation
import ProcessTestSupport
import Testing

extension RunningProgram {
  /// Starts the service with a limit on its descriptors, and nothing inherited but the standard ones.
  static func service(at socket: String, descriptors: Int) throws -> RunningProgram {
    let script = """
      import os, resource, sys
      os.closerange(3, 65536)
      resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
      os.execv(sys.argv[2], sys.argv[2:])
      """
    return try RunningProgram([
      "python3", "-c", script, "\(descriptors)", pathmonitord, "--verbose", "--socket", socket,
    ])
  }

  /// The number of inotify instances that the program holds.
  func inotifyInstances() throws -> Int {
    let descriptors = "/proc/\(processIdentifier)/fd"
    // A descriptor that is closed meanwhile has no target any more.
    return try FileManager.default.contentsOfDirectory(atPath: descriptors)
      .count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)"))?.hasSuffix("inotify")
          == true
      }
  }

  /// Whether the program has taken a signal over, so that it is none of those that end it at once.
  func blocks(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      .flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
    return try #require(mask) & 1 << UInt64(signal - 1) != 0
  }

  /// The number of times the program has been woken up so far.
  private func wakeups() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    return status.split(separator: "\n").filter { $0.contains("voluntary_ctxt_switches") }
      .compactMap { Int($0.split(whereSeparator: \.isWhitespace).last ?? "") }.reduce(0, +)
  }

  /// Expects that the program sleeps for the time after its second looks. The last second look comes a second after an
  /// event, so two equal counts that are further apart mean that all are over.
  func expectSleep(for time: Duration) async throws {
    var before = try wakeups()
    for _ in 0..<20 {
      try await Task.sleep(for: .milliseconds(1_500))
      let now = try wakeups()
      if now == before { break }
      before = now
    }
    try await Task.sleep(for: time)
    #expect(try wakeups() == before)
  }
}

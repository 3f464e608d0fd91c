import Foundation
import ProcessTestSupport
import Testing

extension RunningProgram {
  /// How often the program has been woken up so far.
  private func wakeups() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    return status.split(separator: "\n").filter { $0.contains("voluntary_ctxt_switches") }
      .compactMap { Int($0.split(whereSeparator: \.isWhitespace).last ?? "") }.reduce(0, +)
  }

  /// Expects that the program sleeps for the time, once the looks after the last event are over: the last one comes a
  /// second after it, so that then two counts that are further apart are the same.
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

import Foundation
import KernelPath
import KernelTestSupport
import PathEngine
import PathModel
import PathTestSupport
import SystemIO
import Testing

/// Answers about the path are compared with connect(2) and with the cables by which packets leave.
@Suite("The path and the packets", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct PathTruthTests {
  private static let bursts = Environment.value("PATHMONITOR_BURSTS").flatMap(Int.init) ?? 1_000
  private static let burstsPerBeginning = 12
  /// The same changes each time, so that a failure is the commit's; `PATHMONITOR_SEED` tries others.
  private static let seed = Environment.value("PATHMONITOR_SEED").flatMap(UInt64.init) ?? 2026

  @Test(.timeLimit(.minutes(10)), arguments: [seed])
  func `after random changes, fresh answers and a stream agree with the packets`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      let check = try PathTruthCheck(namespace)
      defer { check.close() }
      var operations = RoutingOperations(seed: seed)
      var history: [RoutingCommand] = []
      for burst in 0..<Self.bursts {
        if burst % Self.burstsPerBeginning == 0 {
          history = operations.beginning()
          try check.begin(history)
        } else {
          let commands = (0..<5).map { _ in operations.next() }
          history += commands
          try check.run(commands)
        }
        guard let contradiction = try check.contradiction() else { continue }
        Issue.record(
          """
          seed \(seed), burst \(burst): \(contradiction)
          after \(history.map(\.description).joined(separator: "\n"))
          """)
        return
      }
      #expect(check.differentPaths > Self.bursts / 10, "the changes of seed \(seed) are too few to be worth anything")
    }
  }
}

import KernelTestSupport
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("Slow watchers", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct SlowWatcherTests {
  private static let flips = 3_000

  /// The paths between which the test flips: unchanged, expensive, and unsatisfied.
  private static func overrides(_ number: Int) throws -> OverrideTable {
    var table = OverrideTable()
    switch number % 3 {
    case 1: try table.set(PathOverride(field: .isExpensive, value: "true", user: 0, setAt: 0))
    case 2: try table.set(PathOverride(field: .status, value: "unsatisfied", user: 0, setAt: 0))
    default: break
    }
    return table
  }

  /// The last flip leads to the path that the slow watcher received last, or to either of the others. The watcher reads
  /// at its end, or between flips, too.
  @Test(arguments: [(flips, nil), (flips + 1, nil), (flips + 2, nil), (flips, 150)] as [(Int, Int?)])
  func `a watcher that reads late or slowly gets the sent updates, then the newest; the others get all`(
    last: Int, interval: Int?
  ) async throws {
    try await ServiceStage.run { stage in
      let (slow, fast) = (try stage.connect(), try stage.connect())
      var received = [try slow.watch(["settleMilliseconds": 0])]
      try fast.watch(["settleMilliseconds": 0])
      for number in 1...last {
        stage.service.engine.setOverrides(try Self.overrides(number))
        try fast.pull()
        guard let interval, number.isMultiple(of: interval) else { continue }
        try slow.pull()
        try stage.loop.runOnce(until: .now)
      }
      #expect(try fast.paths.map(\.sequence) == Array(1...last))
      #expect(try fast.paths.haveNoRepetitions)

      let newest = stage.service.engine.freshPath()
      #expect(
        try stage.run {
          try slow.pull()
          return try slow.paths.last == newest
        })
      try stage.run(for: .milliseconds(50))
      try slow.pull()
      received += try slow.paths
      #expect(received.haveNoRepetitions)
      #expect(received.areNumberedUpwards)
      #expect(try stage.health("skipped") == last - (received.count - 1))
      if interval == nil {
        // The updates in the socket come without a gap, and then there is at most one.
        #expect(zip(received, received.dropFirst()).count { $0.sequence + 1 < $1.sequence } <= 1)
        #expect(received.count < last / 2)
      }

      // It is up to date now, and gets the next change as all others do.
      stage.service.engine.setOverrides(try Self.overrides(last + 1))
      #expect(try slow.has(received.count))
      #expect(try slow.paths.last?.sequence == last + 1)
    }
  }

  @Test func `a watcher that leaves with an update waiting leaves nothing behind`() async throws {
    try await ServiceStage.run { stage in
      let fast = try stage.connect()
      try fast.watch(["settleMilliseconds": 0])
      do {
        let slow = try stage.connect()
        try slow.watch(["settleMilliseconds": 0])
        for number in 1...1_000 {
          stage.service.engine.setOverrides(try Self.overrides(number))
          try fast.pull()
        }
        #expect(fast.replies.count == 1_000)
        #expect(stage.service.engine.subscriberCount == 2)
      }
      #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
      stage.service.engine.setOverrides(try Self.overrides(1_001))
      #expect(try fast.has(1_001))
    }
  }
}

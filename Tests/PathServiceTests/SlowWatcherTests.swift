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

  /// Flips the path, and lets the fast client read each update.
  private static func flip(_ stage: ServiceStage, _ numbers: ClosedRange<Int>, fast: TestClient) throws {
    for number in numbers {
      stage.service.engine.setOverrides(try overrides(number))
      try fast.pull()
    }
    #expect(fast.replies.count == numbers.upperBound)
  }

  /// The last flip, which leads to the path that the slow watcher received last, or to either of the others.
  @Test(arguments: [flips, flips + 1, flips + 2])
  func `a watcher that does not read gets the sent updates, then the newest; the others get all`(
    last: Int
  ) async throws {
    try await ServiceStage.run { stage in
      let (slow, fast) = (try stage.connect(), try stage.connect())
      var received = [try slow.watch(["settleMilliseconds": 0])]
      try fast.watch(["settleMilliseconds": 0])
      try Self.flip(stage, 1...last, fast: fast)
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
      // The updates in the socket come without a gap, and then there is at most one.
      let gaps = zip(received, received.dropFirst()).filter { $0.sequence + 1 < $1.sequence }
      #expect(gaps.count <= 1)
      #expect(received.count < last / 2)
      #expect(try stage.health("skipped") == last - (received.count - 1))

      // It is up to date now, and gets the next change as all others do.
      stage.service.engine.setOverrides(try Self.overrides(last + 1))
      #expect(try slow.has(received.count))
      #expect(try slow.paths.last?.sequence == last + 1)
    }
  }

  @Test func `a watcher that reads slowly never gets the same path twice in a row`() async throws {
    try await ServiceStage.run { stage in
      let (slow, fast) = (try stage.connect(), try stage.connect())
      var received = [try slow.watch(["settleMilliseconds": 0])]
      try fast.watch(["settleMilliseconds": 0])
      for round in 0..<20 {
        for number in 1...150 {
          stage.service.engine.setOverrides(try Self.overrides(round * 150 + number))
          try fast.pull()
        }
        try slow.pull()
        try stage.loop.runOnce(until: .now)
      }
      let newest = stage.service.engine.freshPath()
      #expect(
        try stage.run {
          try slow.pull()
          return try slow.paths.last == newest
        })
      received += try slow.paths
      #expect(received.haveNoRepetitions)
      #expect(received.areNumberedUpwards)
      #expect(try fast.paths.count == 3_000)
      #expect(try stage.health("skipped") == 3_000 - (received.count - 1))
    }
  }

  @Test func `a watcher that leaves with an update waiting leaves nothing behind`() async throws {
    try await ServiceStage.run { stage in
      let fast = try stage.connect()
      try fast.watch(["settleMilliseconds": 0])
      do {
        let slow = try stage.connect()
        try slow.watch(["settleMilliseconds": 0])
        try Self.flip(stage, 1...1_000, fast: fast)
        #expect(stage.service.engine.subscriberCount == 2)
      }
      #expect(try stage.run { stage.service.engine.subscriberCount == 1 })
      stage.service.engine.setOverrides(try Self.overrides(1_001))
      #expect(try fast.has(1_001))
    }
  }
}

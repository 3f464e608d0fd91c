import KernelTestSupport
import PathDecisions
import PathModel
import SystemIO
import Testing

@testable import PathEngine

@Suite("Other probes, and overrides", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct ReconfigurationTests {
  private static let cut = "route delete default via 192.0.2.1 dev eth0 metric 100"

  @Test func `with other probes subscribers stay, get the new path, and get further changes`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ip("route add unreachable 203.0.113.0/24")
      let collector = stage.subscribe(.immediate)
      let user = try stage.subscribe(user: 65_534)
      var configuration = stage.engine.reader.configuration
      let original = configuration
      configuration.probes = ProbeAddresses([IPAddress(ipv4: 0xcb00_7101)])
      let evaluations = stage.engine.reader.evaluations
      try stage.engine.reconfigure(configuration)
      #expect(collector.paths.map(\.status) == [.satisfied, .unsatisfied])
      #expect(stage.engine.reader.evaluations > evaluations)
      // The kernel announces only the new probe's routes, and the engine evaluates.
      try stage.namespace.ip("route delete unreachable 203.0.113.0/24")
      #expect(try stage.run { collector.paths.last?.status == .satisfied })
      try stage.engine.reconfigure(original)
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { collector.paths.last?.status == .unsatisfied })
      #expect(collector.paths.map(\.sequence) == [0, 1, 2, 3])
      #expect(user.paths == collector.paths)
      #expect(stage.engine.subscriberCount == 2)
    }
  }

  @Test func `with the same probes no update is delivered, and overrides and classes stay`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ip("rule add pref 100 uidrange 65534-65534 prohibit")
      stage.engine.setOverrides(try Self.table("isExpensive", "true"))
      let (collector, user) = (stage.subscribe(.immediate), try stage.subscribe(user: 65_534))
      for _ in 0..<3 { try stage.engine.reconfigure(stage.engine.reader.configuration) }
      try stage.run(for: .milliseconds(50))
      #expect(collector.paths.map(\.isExpensive) == [true])
      #expect(user.paths.map(\.unsatisfiedReason) == [.prohibited])
    }
  }

  // MARK: Overrides

  private static func table(_ field: String, _ value: String, expires: Int? = nil) throws -> OverrideTable {
    var table = OverrideTable()
    try table.set(
      PathOverride(field: PathOverride.Field(name: field), value: value, expires: expires, user: 0, setAt: 0))
    return table
  }

  @Test func `an override is delivered to subscribers with its own time, settled as any change`() async throws {
    try await EngineStage.run { stage in
      let (eager, patient) = (stage.subscribe(.immediate), stage.subscribe(SettleTimes(.milliseconds(200))))
      for (table, reason) in [(try Self.table("status", "unsatisfied"), UnsatisfiedReason.overridden), (.init(), nil)] {
        let before = boottimeMicroseconds()
        stage.engine.setOverrides(table)
        let path = try #require(eager.paths.last)
        #expect(path.unsatisfiedReason == reason && path.boottimeMicroseconds >= before)
        #expect(patient.paths.count == 1)
      }
      stage.engine.setOverrides(try Self.table("isExpensive", "true"))
      #expect(try stage.run { patient.paths.last?.isExpensive == true })
      #expect(patient.paths.count == 2 && eager.paths.count == 4)
    }
  }

  @Test func `an override stays while the path changes, and is no part of the reader's own evaluation`()
    async throws
  {
    try await EngineStage.run { stage in
      stage.engine.setOverrides(try Self.table("status", "unsatisfied"))
      let collector = stage.subscribe(.immediate)
      #expect(stage.engine.reader.evaluation.path.status == .satisfied)
      try stage.namespace.ip(Self.cut)
      #expect(try stage.run { stage.engine.reader.evaluation.path.status == .unsatisfied })
      #expect(collector.paths.map(\.unsatisfiedReason) == [.overridden])
      stage.engine.setOverrides(OverrideTable())
      #expect(collector.paths.map(\.unsatisfiedReason) == [.overridden, .noRoute])
      #expect(collector.paths.last?.overrides == [])
    }
  }

  @Test func `overrides end at their times, one after the other, and each end is delivered`() async throws {
    try await EngineStage.run { stage in
      var ended = 0
      stage.engine.whenOverridesExpired = { ended += 1 }
      let now = boottimeMicroseconds()
      var table = try Self.table("isExpensive", "true", expires: now + 100_000)
      try table.set(
        PathOverride(field: .isConstrained, value: "true", expires: now + 200_000, user: 0, setAt: now))
      try table.set(PathOverride(field: .status, value: "unsatisfied", expires: now - 1, user: 0, setAt: now))
      stage.engine.setOverrides(table)
      #expect(ended == 1)
      let collector = stage.subscribe(.immediate)
      #expect(collector.paths.last?.status == .satisfied)
      #expect(try stage.run { collector.paths.count == 3 })
      #expect(collector.paths.map(\.isExpensive) == [true, false, false])
      #expect(collector.paths.map(\.isConstrained) == [true, true, false])
      #expect(try #require(collector.paths.last).boottimeMicroseconds >= now + 200_000)
      #expect(ended == 3)
      #expect(stage.engine.reader.overrides == OverrideTable())
    }
  }
}

import KernelTestSupport
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("Totals of the service", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct TotalsTests {
  private static func totals(_ stage: ServiceStage) throws -> PathTotals {
    let reply = try stage.call(.getHealth)
    return try PathTotals(json: reply.parameters["totals"] ?? .null)
  }

  @Test func `a lost route is a change, an outage and its time, also if nobody is subscribed`() async throws {
    try await ServiceStage.run { stage in
      let before = try Self.totals(stage)
      #expect(before.outages == 0)
      #expect(before.unsatisfiedByReason.isEmpty)
      let start = MonotonicInstant.now
      try stage.namespace.ip(ServiceStage.cut)
      #expect(try stage.run { try Self.totals(stage).outages == 1 })
      try stage.namespace.ip(ServiceStage.restore)
      #expect(try stage.run { try stage.path().status == .satisfied })
      let longest = start.duration(to: .now)
      let after = try Self.totals(stage)
      #expect(after.changes >= before.changes + 2)
      #expect(after.outages == 1)
      let time = try #require(after.unsatisfiedByReason[.noRoute])
      #expect(time > 0 && Duration.microseconds(time) <= longest)
      #expect(try Self.totals(stage).unsatisfiedByReason == after.unsatisfiedByReason)
      #expect(try #require(after.lastChange) > #require(before.lastChange))
    }
  }
}

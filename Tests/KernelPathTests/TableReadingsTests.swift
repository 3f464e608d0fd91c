import PathDecisions
import PathModel
import SystemIO
import SystemTestSupport
import Testing

@testable import KernelPath

/// Readings of tables for explanations take a bounded share of the time.
@Suite("Readings of tables")
struct TableReadingsTests {
  private static let question = TableReadings.Question(family: .ipv4, table: 254, type: RouteType.unreachable)
  private static let route = RoutingFacts.TableRoute(
    type: RouteType.unreachable, table: 254, destination: PolicyRule.Prefix(IPAddress(ipv4: 0), length: 0))

  @Test func `short readings follow one another`() {
    var readings = TableReadings()
    let start = MonotonicInstant(0)
    for count in 0..<1_000 {
      let mayRead = readings.mayRead(at: start.advanced(by: .milliseconds(20 * count)))
      #expect(mayRead)
      readings.record([], to: Self.question, taking: .milliseconds(1))
    }
  }

  @Test func `after long readings, a table is read no more until twenty times as much time has passed`() {
    var readings = TableReadings()
    let start = MonotonicInstant(0)
    _ = readings.mayRead(at: start)
    readings.record([Self.route], to: Self.question, taking: .milliseconds(150))
    let answers = [150, 999, 1_020].map { readings.mayRead(at: start.advanced(by: .milliseconds($0))) }
    #expect(answers == [false, false, true])
    #expect(readings.latest(Self.question) == [Self.route])
  }

  @Test func `a long pause allows no more than a tenth of a second at once`() {
    var readings = TableReadings()
    let start = MonotonicInstant(0)
    _ = readings.mayRead(at: start)
    readings.record([], to: Self.question, taking: .milliseconds(90))
    let isAllowed = readings.mayRead(at: start.advanced(by: .seconds(3_600)))
    readings.record([], to: Self.question, taking: .milliseconds(100))
    let isAllowedAgain = readings.mayRead(at: start.advanced(by: .seconds(3_600)))
    #expect(isAllowed && !isAllowedAgain)
  }

  @Test func `the number of answers that are kept is limited`() {
    var readings = TableReadings()
    for table in 0..<UInt32(10 * TableReadings.limit) {
      let question = TableReadings.Question(family: .ipv6, table: table, type: RouteType.prohibit)
      readings.record([Self.route], to: question, taking: .zero)
      #expect(readings.latest(question) == [Self.route])
      #expect(readings.count <= TableReadings.limit)
    }
  }
}

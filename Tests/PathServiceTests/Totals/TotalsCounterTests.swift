import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathService

@Suite("The counter of changes and outages")
struct TotalsCounterTests {
  private static let start = MonotonicInstant(0)
  private static func at(_ seconds: Int) -> MonotonicInstant { MonotonicInstant(seconds * 1_000) }

  private static func path(_ status: NetworkPath.Status, _ reason: UnsatisfiedReason? = nil) -> NetworkPath {
    var path = NetworkPath.unknown
    path.knowledge = .known
    path.status = status
    path.unsatisfiedReason = reason
    return path
  }

  private static let up = path(.satisfied)
  private static let unplugged = path(.unsatisfied, .noCarrier)
  /// An override is an outage as any other.
  private static let overridden = path(.unsatisfied, .overridden)

  @Test func `an outage counts once, and its time belongs to the reasons it had`() {
    var counter = TotalsCounter(Self.up, at: Self.start, wallClock: 100)
    counter.observe(Self.overridden, at: Self.at(10), wallClock: 110)
    counter.observe(Self.unplugged, at: Self.at(13), wallClock: 113)
    counter.observe(Self.up, at: Self.at(15), wallClock: 115)
    let totals = counter.totals(at: Self.at(60))
    #expect(totals.changes == 3)
    #expect(totals.outages == 1)
    #expect(totals.unsatisfiedByReason == [.overridden: 3_000_000, .noCarrier: 2_000_000])
    #expect(totals.lastChange == 115)
  }

  @Test func `an outage that is going on counts up to now, however often somebody asks`() {
    var counter = TotalsCounter(Self.up, at: Self.start, wallClock: 0)
    counter.observe(Self.unplugged, at: Self.at(10), wallClock: 10)
    for second in [10, 11, 25] {
      #expect(counter.totals(at: Self.at(second)).unsatisfiedByReason == [.noCarrier: Int64(second - 10) * 1_000_000])
    }
  }

  @Test func `a path that is equal to the one before changes nothing`() {
    var counter = TotalsCounter(Self.unplugged, at: Self.start, wallClock: 0)
    for second in 1...5 { counter.observe(Self.unplugged, at: Self.at(second), wallClock: Int64(second)) }
    let totals = counter.totals(at: Self.at(6))
    #expect(totals.changes == 0)
    #expect(totals.outages == 1, "a start without a path is an outage")
    #expect(totals.unsatisfiedByReason == [.noCarrier: 6_000_000])
    #expect(totals.lastChange == 0)
  }

  @Test func `time during which the path is not known is neither connected nor an outage`() {
    var stale = Self.unplugged
    stale.knowledge = .stale
    var counter = TotalsCounter(Self.unplugged, at: Self.start, wallClock: 0)
    counter.observe(stale, at: Self.at(2), wallClock: 2)
    counter.observe(Self.unplugged, at: Self.at(10), wallClock: 10)
    let totals = counter.totals(at: Self.at(11))
    #expect(totals.unsatisfiedByReason == [.noCarrier: 3_000_000])
    #expect(totals.outages == 2, "whether the outage went on meanwhile cannot be known")
    #expect(TotalsCounter(.unknown, at: Self.start, wallClock: 0).totals(at: Self.at(9)).unsatisfiedByReason.isEmpty)
  }

  @Test func `sums never fall`() {
    var counter = TotalsCounter(Self.up, at: Self.start, wallClock: 0)
    var before = counter.totals(at: Self.start)
    for (second, path) in [Self.unplugged, Self.up, Self.overridden, .unknown, Self.unplugged, Self.up].enumerated() {
      counter.observe(path, at: Self.at(second), wallClock: Int64(second))
      let now = counter.totals(at: Self.at(second))
      #expect(now.changes >= before.changes && now.outages >= before.outages)
      for (reason, time) in before.unsatisfiedByReason {
        #expect(now.unsatisfiedByReason[reason] ?? 0 >= time)
      }
      before = now
    }
  }
}

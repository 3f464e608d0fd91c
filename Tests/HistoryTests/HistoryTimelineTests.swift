import History
import HistoryTestSupport
import PathModel
import PathTestSupport
import Testing

/// The timeline, with clocks that the test sets.
@Suite struct HistoryTimelineTests {
  @Test func `an outage lasts from its observation to the next`() {
    var machine = Machine()
    machine.show((connected, 10 * second), (offline, 3 * second), (connected, second))
    machine.tick()
    let spans = machine.spans
    #expect(spans.map(\.state) == [connected, offline, connected])
    #expect(spans.map(\.duration) == [10 * second, 3 * second, second])
    #expect(spans[1].start == Machine.start.advanced(by: 10 * second))
    #expect(machine.totals.outages == 1)
    #expect(machine.totals.unsatisfiedByReason == [.noCarrier: 3 * second])
  }

  @Test func `a laptop that loses its Wi-Fi one second before it sleeps for eight hours has a one-second outage`() {
    var machine = Machine()
    machine.show((connected, 60 * second), (offline, second))
    machine.sleep(8 * HistoryInstant.hour)
    machine.show(connected, for: second)
    #expect(machine.spans.map(\.state) == [connected, offline, .suspended, connected])
    #expect(machine.totals.outages == 1)
    #expect(machine.totals.longestOutage == second)
    #expect(machine.totals.unsatisfied == second)
    #expect(machine.totals.suspended == 8 * HistoryInstant.hour)
  }

  @Test func `a suspend ends an outage, and one that goes on after it is another`() {
    var machine = Machine()
    machine.show(offline, for: second)
    machine.sleep(HistoryInstant.hour)
    machine.tick()
    machine.pass(3 * second)
    machine.show(connected)
    #expect(machine.totals.outages == 2)
    #expect(machine.totals.longestOutage == 3 * second)
    #expect(machine.totals.unsatisfied == 4 * second)
  }

  @Test func `a change before the suspend that is read after it lies before it`() {
    var machine = Machine()
    machine.show(connected, for: 10 * second)
    let lost = machine.clocks.boottime
    machine.pass(second)
    machine.sleep(HistoryInstant.hour)
    machine.pass(20_000)
    machine.show(offline, at: lost)
    #expect(machine.spans.map(\.state) == [connected, offline, .suspended, offline])
    // The reading cannot know that the machine had been awake for 20 ms: they count as before the suspend.
    #expect(machine.spans.map(\.duration) == [10 * second, second + 20_000, HistoryInstant.hour, 0])
  }

  @Test func `a change after the suspend ends it, however late it is read`() {
    var machine = Machine()
    machine.show(connected, for: 10 * second)
    machine.sleep(HistoryInstant.hour)
    let lost = machine.clocks.boottime
    machine.pass(second)
    machine.show(offline, at: lost)
    machine.tick()
    #expect(machine.spans.map(\.state) == [connected, .suspended, offline])
    #expect(machine.spans.map(\.duration) == [10 * second, HistoryInstant.hour, second])
  }

  @Test(arguments: [HistoryInstant.hour, -HistoryInstant.hour, 6_000, -6_000])
  func `a step of the wall clock neither invents nor loses time`(step: Int64) {
    var machine = Machine()
    machine.show((connected, 10 * second), (offline, 5 * second))
    machine.setWall(by: step)
    machine.tick()
    machine.pass(5 * second)
    machine.show(connected, for: second)
    machine.tick()
    #expect(machine.spans.map(\.state) == [connected, offline, offline, connected])
    #expect(machine.totals.unsatisfied == 10 * second)
    #expect(machine.totals.satisfied == 11 * second)
    #expect(machine.totals.outages == 1)
    #expect(machine.totals.longestOutage == 10 * second)
    #expect(machine.totals.changes == 2)
    #expect(machine.spans[2].start == Machine.start.advanced(by: 15 * second + step))
  }

  @Test func `the end of a span is its start and its duration, whatever the clocks do`() {
    var machine = Machine()
    var generator = SeededGenerator(seed: 7)
    machine.show(connected)
    for _ in 0..<2_000 {
      machine.pass(Int64.random(in: 0..<5 * second, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: machine.setWall(by: Int64.random(in: -HistoryInstant.hour...HistoryInstant.hour, using: &generator))
      case 1: machine.sleep(Int64.random(in: 10_000..<HistoryInstant.hour, using: &generator))
      case 2: machine.show(.unknown)
      case 3: machine.tick()
      case 4, 5: machine.show(offline)
      default: machine.show(connected)
      }
    }
    machine.tick()
    let spans = machine.spans
    for (span, next) in zip(spans, spans.dropFirst()) {
      #expect(next.number > span.number)
      #expect(next.follows(span))
    }
    #expect(spans.reduce(0) { $0 + $1.duration } == machine.clocks.boottime - Machine.boottime)
    #expect(machine.totals.suspended == machine.clocks.boottime - machine.clocks.monotonic)
  }

  @Test func `a recorder that starts again in the same boot has not watched since its last span`() {
    var machine = Machine()
    machine.show(offline, for: 10 * second)
    machine.tick()
    machine.pass(20 * second)
    machine.setWall(by: -HistoryInstant.hour)
    machine.restart()
    machine.show(offline, for: 4 * second)
    machine.show(connected)
    #expect(machine.totals.unsatisfied == 14 * second)
    #expect(machine.spans[1].boottime - machine.spans[0].endBoottime == 20 * second)
    #expect(machine.totals.outages == 2)
    #expect(machine.totals.changes == 1)
  }

  @Test(arguments: [HistoryInstant.hour, -HistoryInstant.hour])
  func `a new boot has not watched since the last span, and has its own time`(step: Int64) {
    var machine = Machine()
    machine.show(offline, for: 10 * second)
    machine.tick()
    machine.reboot(after: step)
    machine.show(connected, for: second)
    machine.tick()
    #expect(machine.totals.unsatisfied == 10 * second)
    #expect(machine.totals.satisfied == second && machine.totals.all == 11 * second)
    #expect(machine.spans.map(\.boottime) == [Machine.boottime, Machine.boottime])
    #expect(!machine.spans[1].follows(machine.spans[0]))
  }

  @Test func `the absence of the service is neither uptime nor downtime`() {
    var machine = Machine()
    machine.show(offline, for: 2 * second)
    machine.show(nil)
    #expect(machine.present == nil)
    machine.pass(100 * second)
    machine.show(offline, for: 3 * second)
    machine.show(connected)
    #expect(machine.totals.unsatisfied == 5 * second)
    #expect(machine.totals.all == 5 * second)
    #expect(machine.totals.outages == 2)
  }

  @Test func `no change is dated before what was marked`() {
    var machine = Machine()
    machine.show(connected, for: 10 * second)
    machine.tick()
    machine.show(offline, at: machine.clocks.boottime - 3 * second)
    machine.pass(second)
    machine.tick()
    #expect(machine.spans.map(\.duration) == [10 * second, second])
  }

  @Test func `changes are dated by the moments of their observation, however late they are read`() {
    var machine = Machine()
    machine.show(connected, for: 10 * second)
    let lost = machine.clocks.boottime
    machine.pass(5 * second)
    machine.show(offline, at: lost)
    machine.show(connected, at: lost + second)
    machine.tick()
    #expect(machine.spans.map(\.duration) == [10 * second, second, 4 * second])
  }

  @Test func `an outage that was written is not taken back by a change at the same moment`() {
    var machine = Machine()
    machine.show(offline)
    #expect(machine.settled()?.duration == 1)
    machine.show(connected, for: second)
    machine.tick()
    #expect(machine.spans.map(\.state) == [offline, connected])
    #expect(machine.totals.outages == 1)
  }

  @Test func `a suspend of decades is the mistake of a clock, and not watched`() {
    var machine = Machine()
    machine.show(connected, for: second)
    machine.sleep(56 * 365 * HistoryInstant.day)
    machine.show(offline, for: second)
    machine.tick()
    #expect(machine.spans.map(\.state) == [connected, offline])
    #expect(machine.totals.all == 2 * second)
  }

  @Test func `reasons that follow one another are one outage`() {
    var machine = Machine()
    machine.show((connected, second), (offline, 2 * second), (path(.noRoute), 3 * second))
    machine.show(connected)
    #expect(machine.totals.outages == 1)
    #expect(machine.totals.longestOutage == 5 * second)
    #expect(machine.totals.changes == 3)
  }
}

/// The sums over windows.
@Suite struct SpanTotalsTests {
  @Test func `the hours of a day sum up to the day`() {
    var machine = Machine()
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let state = [connected, offline, path(.noRoute), .unknown].randomElement(using: &generator)
      machine.show(state ?? .unknown, for: Int64.random(in: 1..<600 * second, using: &generator))
    }
    machine.tick()
    let history = ListedHistory(machine.spans)
    let first = Machine.start.startOfHour
    var hours: [Range<HistoryInstant>] = []
    while (hours.last?.upperBound ?? first) <= machine.clocks.wall {
      let start = hours.last?.upperBound ?? first
      hours.append(start..<start.advanced(by: HistoryInstant.hour))
    }
    var sum = PathTotals()
    for totals in history.totals(of: hours) { sum.add(totals) }
    #expect(sum == history.lifetimeTotals())
  }

  @Test func `an outage counts where it began, and its time where it was`() {
    var machine = Machine()
    machine.show(offline, for: 2 * HistoryInstant.hour)
    machine.show(connected)
    let history = ListedHistory(machine.spans)
    let middle = Machine.start.advanced(by: HistoryInstant.hour)
    let end = middle.advanced(by: HistoryInstant.hour)
    let totals = history.totals(of: [Machine.start..<middle, middle..<end])
    #expect(totals.map(\.outages) == [1, 0])
    #expect(totals.map(\.unsatisfied) == [HistoryInstant.hour, HistoryInstant.hour])
    #expect(totals.map(\.longestOutage) == [2 * HistoryInstant.hour, 0])
  }
}

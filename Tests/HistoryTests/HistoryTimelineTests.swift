import History
import HistoryTestSupport
import PathModel
import PathTestSupport
import Testing

/// The timeline, with clocks that the test sets.
@Suite struct HistoryTimelineTests {
  /// Scripts of a machine, the spans that come of them, and their sums. A step is a state and its seconds: `connected`,
  /// `offline` for the lack of a carrier, `noRoute`, or `absent` for the service; `late` and a state that began so many
  /// seconds ago; `pass`, `sleep`, `wall` or `reboot` and seconds; `restart`; or `tick` for a reading of the clocks.
  /// Time between spans is `nothing`.
  static let scripts = [
    (
      "an outage lasts from its observation to the next", "connected 10; offline 3; connected 1; tick",
      "connected 10; offline 3; connected 1", "outages 1; longest 3; unsatisfied 3"
    ),
    (
      "a laptop that loses its Wi-Fi one second before it sleeps for eight hours has a one-second outage",
      "connected 60; offline 1; sleep 28800; connected 1; tick",
      "connected 60; offline 1; suspended 28800; connected 1", "outages 1; longest 1; unsatisfied 1; suspended 28800"
    ),
    (
      "a suspend ends an outage, and one that goes on after it is another",
      "offline 1; sleep 3600; tick; pass 3; connected 0", "offline 1; suspended 3600; offline 3; connected 0",
      "outages 2; longest 3; unsatisfied 4"
    ),
    (
      // The reading cannot know that the machine had been awake for 20 ms: they count as before the suspend.
      "a change before the suspend that is read after it lies before it",
      "connected 10; pass 1; sleep 3600; pass 0.02; late offline 3601.02",
      "connected 10; offline 1.02; suspended 3600; offline 0", "outages 2"
    ),
    (
      "a change after the suspend ends it, however late it is read",
      "connected 10; sleep 3600; pass 1; late offline 1; tick", "connected 10; suspended 3600; offline 1", "outages 1"
    ),
    (
      "a recorder that starts again in the same boot has not watched since its last span",
      "offline 10; tick; pass 20; wall -3600; restart; offline 4; connected 0",
      "offline 10; nothing 20; offline 4; connected 0", "outages 2; changes 1; unsatisfied 14"
    ),
    (
      "a new boot has not watched since the last span, and has its own time",
      "offline 10; tick; reboot 3600; connected 1; tick", "offline 10; boot; connected 1", "unsatisfied 10; satisfied 1"
    ),
    (
      "so has one whose wall clock is behind", "offline 10; tick; reboot -3600; connected 1; tick",
      "offline 10; boot; connected 1", "unsatisfied 10; satisfied 1"
    ),
    (
      "the absence of the service is neither uptime nor downtime",
      "offline 2; absent 100; offline 3; connected 0", "offline 2; nothing 100; offline 3; connected 0",
      "outages 2; unsatisfied 5"
    ),
    (
      "no change is dated before what was marked", "connected 10; tick; late offline 3; pass 1; tick",
      "connected 10; offline 1", "outages 1"
    ),
    (
      "changes are dated by the moments of their observation, however late they are read",
      "connected 10; pass 5; late offline 5; late connected 4; tick", "connected 10; offline 1; connected 4",
      "outages 1"
    ),
    (
      "a suspend of decades is the mistake of a clock, and not watched",
      "connected 1; sleep 1766016000; offline 1; tick", "connected 1; nothing 1766016000; offline 1", "suspended 0"
    ),
    (
      "reasons that follow one another are one outage", "connected 1; offline 2; noRoute 3; connected 0",
      "connected 1; offline 2; noRoute 3; connected 0", "outages 1; longest 5; changes 3"
    ),
  ]

  private static let states = ["connected": connected, "offline": offline, "noRoute": path(.noRoute), "absent": nil]

  @Test(arguments: scripts)
  func `spans come of observations as the script says`(_ rule: String, script: String, spans: String, sums: String)
    throws
  {
    var machine = Machine()
    for step in script.split(separator: "; ") {
      let words = step.split(separator: " ").map(String.init)
      let time = Int64(((words.last.flatMap { Double($0) } ?? 0) * 1e6).rounded())
      switch words[0] {
      case "tick": machine.tick()
      case "pass": machine.pass(time)
      case "sleep": machine.sleep(time)
      case "wall": machine.setWall(by: time)
      case "restart": machine.restart()
      case "reboot": machine.reboot(after: time)
      case "late": machine.show(try #require(Self.states[words[1]]), at: machine.clocks.boottime - time)
      default: machine.show(try #require(Self.states[words[0]]), for: time)
      }
    }
    #expect(Self.words(machine.spans) == spans, "\(rule)")
    let totals = machine.totals
    #expect(totals.all == machine.spans.reduce(0) { $0 + $1.duration })
    for sum in sums.split(separator: "; ").map({ $0.split(separator: " ") }) {
      let found: [Substring: Int64] = [
        "outages": totals.outages * second, "changes": totals.changes * second, "longest": totals.longestOutage,
        "satisfied": totals.satisfied, "unsatisfied": totals.unsatisfied, "suspended": totals.suspended,
      ]
      #expect(try #require(found[sum[0]]) == (try #require(Int64(sum[1]))) * second, "\(rule): \(sum)")
    }
  }

  /// Spans in words, with the time between them.
  private static func words(_ spans: [HistorySpan]) -> String {
    func seconds(_ time: Int64) -> String {
      time % second == 0 ? "\(time / second)" : "\(Double(time) / Double(second))"
    }
    var words: [String] = []
    for (number, span) in spans.enumerated() {
      let former = number == 0 ? span : spans[number - 1]
      if span.bootID != former.bootID {
        words.append("boot")
        #expect(span.boottime == Machine.boottime && !span.follows(former))
      } else if number > 0, span.boottime != former.endBoottime {
        words.append("nothing \(seconds(span.boottime - former.endBoottime))")
      }
      let state = span.state == .suspended ? "suspended" : states.first { $0.value == span.state }?.key
      words.append("\(state ?? "other") \(seconds(span.duration))")
    }
    return words.joined(separator: "; ")
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

  @Test func `an outage that was written is not taken back by a change at the same moment`() {
    var machine = Machine()
    machine.show(offline)
    #expect(machine.settled()?.duration == 1)
    machine.show(connected, for: second)
    machine.tick()
    #expect(machine.spans.map(\.state) == [offline, connected])
    #expect(machine.totals.outages == 1)
  }
}

/// The sums over windows.
@Suite struct SpanTotalsTests {
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

import History
import HistoryReport
import HistoryTestSupport
import PathModel
import Testing

@Suite("Reports")
struct ReportBuilderTests {
  private static let start = HistoryInstant(microseconds: 1_793_185_200 * HistoryInstant.second)

  private static func script(_ states: (HistoryState?, Double)...) -> SpanScript {
    var script = SpanScript(from: start)
    for (state, seconds) in states { script.add(state, seconds) }
    return script
  }

  @Test func `an outage has its length, cause, the interface that was lost and the one that it came back over`() throws
  {
    let script = Self.script((.up("eth0"), 60), (.down(.noCarrier), 1.5), (.up("wlan0", .wifi, network: "Café"), 60))
    let report = try #require(try HistoryReport.of(script))
    let outage = try #require(report.outages.first)
    #expect(report.outages.count == 1 && report.totals.outages == 1)
    #expect(outage.duration == 1_500_000 && outage.start == Self.start.advanced(by: 60_000_000))
    #expect(outage.cause.code == "noCarrier" && outage.cause.words == "no carrier")
    #expect(outage.lost?.words == "eth0" && outage.backInWords == "wlan0 (Café)")
    #expect(report.totals.satisfied == 120_000_000 && report.totals.unsatisfied == 1_500_000)
  }

  @Test func `causes that follow one another are one outage with the cause that lasted longest`() throws {
    let script = Self.script(
      (.up("eth0"), 10), (.down(.noCarrier), 1), (.down(.noAddress), 3), (.down(.noCarrier), 1), (.up("eth0"), 10))
    let report = try #require(try HistoryReport.of(script))
    let outage = try #require(report.outages.first)
    #expect(report.outages.count == 1 && outage.duration == 5_000_000)
    #expect(outage.cause.code == "noAddress")
    #expect(outage.causes.map(\.duration) == [2_000_000, 3_000_000])
    #expect(report.causes.map(\.cause.code) == ["noAddress", "noCarrier"])
    #expect(report.causes.map(\.outages) == [1, 0])
  }

  @Test(
    "time that nobody watched is neither uptime nor downtime, and ends an outage",
    arguments: [(nil, .notWatched), (.unknown, .unknown), (.suspended, .suspended)] as [(HistoryState?, Outage.Ending)])
  func gaps(state: HistoryState?, ending: Outage.Ending) throws {
    let script = Self.script(
      (.up("eth0"), 10), (.down(.noRoute), 2), (state, 100), (.down(.noRoute), 3), (.up("eth0"), 5))
    let report = try #require(try HistoryReport.of(script))
    #expect(report.outages.map(\.duration) == [2_000_000, 3_000_000])
    #expect(report.outages.map(\.ending) == [ending, .connected])
    #expect(report.outages.last?.lost == nil)
    #expect(report.totals.watched == 20_000_000)
    #expect(report.totals.all == 120_000_000)
  }

  @Test func `shorter outages than asked for count as connected`() throws {
    let script = Self.script(
      (.up("eth0"), 10), (.down(.noCarrier), 4.999999), (.up("eth0"), 10), (.down(.noCarrier), 5), (.up("eth0"), 10))
    let report = try #require(try HistoryReport.of(script, .with { $0.atLeast = .seconds(5) }))
    #expect(report.outages.map(\.duration) == [5_000_000])
    #expect(report.totals.unsatisfied == 5_000_000 && report.totals.satisfied == 34_999_999)
  }

  @Test func `a requirement decides what is connected, and the cause says what the path was`() throws {
    let script = Self.script(
      (.up("eth0"), 100), (.up("wwan0", .cellular, expensive: true), 30), (.up("eth0"), 100), (.down(.noRoute), 10))
    let metered = HistoryQuery.with { $0.requirement = .unmetered }
    let report = try #require(try HistoryReport.of(script, metered))
    #expect(report.totals.satisfied == 200_000_000 && report.totals.unsatisfied == 40_000_000)
    #expect(report.outages.map(\.cause.code) == ["requirementNotMet", "noRoute"])
    #expect(report.outages.first?.cause.words == "connected over wwan0 (cellular), metered")
    #expect(try HistoryReport.of(script, .with { $0.requirement = .cellular })?.totals.satisfied == 30_000_000)
  }

  @Test func `connected, but unanswered is a time of its own and no outage, unless the answers are required`() throws {
    let script = Self.script(
      (.up("eth0"), 100), (.up("eth0", validation: .unanswered), 30), (.up("eth0", validation: .portal), 20),
      (.up("eth0", validation: .unanswered), 5),
      (.up("eth0", validation: .validated), 50), (.down(.noRoute), 10))
    let report = try #require(try HistoryReport.of(script))
    #expect(report.outages.map(\.duration) == [10_000_000])
    #expect(report.unvalidated == [.unanswered: 35_000_000, .portal: 20_000_000])
    #expect(
      report.connectedInVain == [
        "connected, but unanswered: 35.0 s, which is no outage",
        "connected, but sign-in wanted: 20.0 s, which is no outage",
      ])
    let validated = try #require(try HistoryReport.of(script, .with { $0.requirement = .validated }))
    #expect(validated.totals.satisfied == 50_000_000 && validated.totals.unknown == 100_000_000)
    #expect(validated.outages.map(\.duration) == [55_000_000, 10_000_000])
    #expect(validated.outages.first?.causes.map(\.cause.code) == ["unanswered", "portal"])
    #expect(validated.outages.first?.causes.map(\.cause.words).first == "connected, but unanswered")
    let unmetered = HistoryQuery.with { $0.requirement = .unmetered }
    #expect(try HistoryReport.of(script, unmetered)?.outages.map(\.duration) == [10_000_000])
  }

  @Test func `an interface is judged by its own path, whichever carries the traffic`() throws {
    var both = NetworkPath(status: .satisfied, knowledge: .known)
    both.interfaces = [
      NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet),
      NetworkInterface(name: "wwan0", index: 3, type: .cellular),
    ]
    both.interfaceType = .wiredEthernet
    let script = Self.script(
      (.path(RecordedPath(both)), 60), (.up("wwan0", .cellular), 20), (.path(RecordedPath(both)), 60))
    for (interface, outages) in [("eth0", [20_000_000]), ("wwan0", []), (nil, [])] as [(String?, [Int64])] {
      #expect(try HistoryReport.of(script, .with { $0.interface = interface })?.outages.map(\.duration) == outages)
    }
  }

  @Test func `a window cuts the outages at its ends`() throws {
    let script = Self.script((.up("eth0"), 100), (.down(.noCarrier), 50), (.up("eth0"), 10), (.down(.noCarrier), 40))
    let (first, last) = (Self.start.advanced(by: 130_000_000), Self.start.advanced(by: 170_000_000))
    let report = try #require(
      try HistoryReport.of(script, .with { ($0.since, $0.until) = (.instant(first), .instant(last)) }))
    #expect(report.outages.map(\.duration) == [20_000_000, 10_000_000])
    #expect(report.outages.map(\.beganBefore) == [true, false])
    #expect(report.outages.map(\.ending) == [.connected, .lasting])
    #expect(report.totals.all == 40_000_000)
  }

  @Test func `a clock that is set back counts no time twice, and one that is set forward leaves a gap`() throws {
    var script = Self.script((.up("eth0"), 100), (.down(.noCarrier), 20), (.up("eth0"), 100))
    script.spans[2].start = script.spans[2].start.advanced(by: 50_000_000)
    let forward = try #require(try HistoryReport.of(script, after: 50))
    #expect(forward.totals.notWatched == 50_000_000 && forward.outages.map(\.duration) == [20_000_000])
    script.spans[2].start = script.spans[2].start.advanced(by: -60_000_000)
    let back = try #require(try HistoryReport.of(script, after: -10))
    #expect(back.totals.notWatched == 0 && back.totals.watched == 220_000_000)
  }

  @Test func `the reason of the machine is no cause for another interface, nor for a requirement`() throws {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    path.diagnosis = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
    let script = Self.script((.up("wlan0", .wifi), 10), (.path(RecordedPath(path)), 5), (.up("wlan0", .wifi), 10))
    func cause(_ change: (inout HistoryQuery) throws -> Void) throws -> [String] {
      try #require(try HistoryReport.of(script, .with(change))).outages.flatMap(\.causes).map {
        "\($0.cause.code): \($0.words)"
      }
    }
    #expect(try cause { _ in } == ["noCarrier: eth0 has no carrier"])
    #expect(try cause { $0.interface = "wlan0" } == ["requirementNotMet: no path at all"])
    #expect(try cause { $0.requirement = try PathRequirement("wifi") } == ["noCarrier: offline, no carrier"])
    #expect(
      try cause { $0.interface = "eth0" } == [
        "requirementNotMet: connected over wlan0 (Wi-Fi)", "noCarrier: eth0 has no carrier",
      ])
  }

  @Test func `a page for the provider has no overrides`() throws {
    let script = Self.script(
      (.up("eth0"), 100), (.down(.overridden), 30), (.up("eth0"), 100), (.down(.noCarrier), 2), (.up("eth0"), 10))
    #expect(try HistoryReport.of(script)?.outages.count == 2)
    for form in [HistoryQuery.Form.html(file: "-"), .svg(file: "-")] {
      let report = try #require(try HistoryReport.of(script, .with { $0.form = form }))
      #expect(report.outages.map(\.cause.code) == ["noCarrier"])
      #expect(report.totals.unsatisfied == 2_000_000 && report.totals.unknown == 30_000_000)
    }
  }

  @Test func `the sums of cells, rows and window are equal, whatever the spans`() throws {
    var script = SpanScript(from: Self.start)
    var generator = SystemRandomNumberGenerator()
    let states: [HistoryState] = [
      .up("eth0"), .down(.noCarrier), .up("wlan0"), .suspended, .unknown, .down(.noRoute),
    ]
    for number in 0..<300 {
      script.add(states.randomElement(using: &generator) ?? .unknown, Double.random(in: 0...9_000))
      if number % 10 == 0 { script.add(nil, Double.random(in: 1...9_000)) }
    }
    let report = try #require(try HistoryReport.of(script, calendar: .berlin, cells: 288))
    var cells = PathTotals()
    for row in report.cells { for totals in row { cells.add(totals) } }
    #expect(cells == report.totals)
    #expect(report.totals.all == report.window.microseconds)
    #expect(report.totals.all - report.totals.notWatched == script.spans.reduce(0) { $0 + $1.duration })
    #expect(report.totals.unsatisfied == report.outages.reduce(0) { $0 + $1.duration })
    #expect(report.totals.outages == Int64(report.outages.count))
    #expect(report.longest == report.outages.map(\.duration).max())
  }

  @Test func `the time since the recorder stopped is not watched`() throws {
    let script = Self.script((.up("eth0"), 600))
    #expect(try HistoryReport.of(script, after: 60)?.totals.notWatched == 0)
    #expect(try HistoryReport.of(script, after: 3_600)?.totals.notWatched == HistoryInstant.hour)
  }

  @Test func `a time without any record has no report`() throws {
    let script = Self.script((.up("eth0"), 600))
    let before = Self.start.advanced(by: -300_000_000)
    let query = HistoryQuery.with { ($0.since, $0.until) = (.instant(before), .instant(Self.start)) }
    #expect(try HistoryReport.of(script, query) == nil)
    #expect(try HistoryReport.of(SpanScript(from: Self.start), HistoryQuery()) == nil)
  }
}

import History
import HistoryReport
import PathModel
import PathTestSupport
import Testing

@testable import Programs

@Suite("Forms of reports")
struct ReportRenderingTests {
  private static let calendar = LocalCalendar.berlin

  /// Days around the change to winter time, with an outage a night.
  private static func script(days: Int) throws -> SpanScript {
    var generator = SeededGenerator(seed: 20)
    var script = SpanScript(from: try calendar.moment("2026-10-20 09:00"))
    for day in 0..<days {
      script.add(.up("eth0"), Double.random(in: 40_000...60_000, using: &generator))
      script.add(.down(day % 3 == 0 ? .noRoute : .noCarrier), Double.random(in: 0.3...60, using: &generator))
      script.add(.up("wlan0", .wifi, network: "My home"), 3_000)
      if day % 4 == 1 { script.add(.suspended, 20_000) }
      if day % 5 == 2 { script.add(nil, 9_000) }
    }
    return script
  }

  private static func picture(
    _ script: SpanScript, _ style: Style, since: TimeWord? = nil
  ) throws -> (report: HistoryReport, lines: [String]) {
    let report = try #require(
      try HistoryReport.of(script, .with { $0.since = since }, calendar: calendar, needsRecords: false) {
        ReportPicture.timeline($0, style, calendar)
      })
    return (report, ReportPicture.lines(report, style, calendar))
  }

  private static func plot(_ script: SpanScript) throws -> String {
    let report = try HistoryReport.of(script, calendar: calendar) { AvailabilityPlot.timeline($0, calendar) }
    return AvailabilityPlot.svg(try #require(report), isDocument: true)
  }

  @Test(
    "a picture fits the terminal, and no mark of colour is left open",
    arguments: [40, 60, 80, 120], [1, 8, 40, 100, 900])
  func widths(width: Int, days: Int) throws {
    for style in [
      Style(isColored: false, isUnicode: true, width: width), Style(isColored: true, isUnicode: true, width: width),
      Style(isColored: false, isUnicode: false, width: width),
    ] {
      let (_, lines) = try Self.picture(try Self.script(days: days), style)
      for line in lines {
        #expect(LineFolding.columns(of: line) <= width, "\(line)")
        #expect(!line.replacingMarks.contains("\u{1b}"))
        if !style.isColored { #expect(!line.contains("\u{1b}")) }
        if !style.isUnicode { #expect(!line.contains("▁") && !line.contains("×")) }
      }
    }
  }

  @Test(arguments: [80, 100, 120, 200], [5, 40, 100, 900])
  func `each row with an outage has its figures`(width: Int, days: Int) throws {
    var script = SpanScript(from: try Self.calendar.moment("2026-10-20 09:00"))
    let outages = min(30, 8_000 / days)
    for _ in 0..<days {
      script.add(.up("eth0"), 3_000)
      script.add(.down(.noCarrier), 3_599)
      for _ in 0..<outages {
        script.add(.up("eth0"), 76_000 / Double(outages))
        script.add(.down(.noRoute), 60.5)
      }
    }
    let (report, lines) = try Self.picture(script, Style(isColored: false, width: width))
    let count = report.rows.count { $0.outages > 0 }
    #expect(count > 0 && lines.count { $0.contains(" %") && $0.contains("× ") } == count, "\(lines)")
  }

  @Test func `a row is an hour for a day, else a day, a week or a month`() throws {
    let style = Style(isColored: false, width: 80)
    let script = try Self.script(days: 1_400)
    for (since, row) in [("1d", Timeline.Row.hour), ("7d", .day), ("60d", .day), ("400d", .week), ("850d", .month)] {
      #expect(try Self.picture(script, style, since: try TimeWord(since)).report.timeline.row == row)
    }
  }

  @Test(
    "one short outage is visible in every picture and plot", arguments: ["2h", "1d", "7d", "60d", "365d", "2y", "20y"])
  func shortOutage(since: String) throws {
    let end = try Self.calendar.moment("2026-11-20 12:00")
    var script = SpanScript(from: try TimeWord(since).instant(.since, now: end, Self.calendar))
    let total = Double(script.end.microseconds(to: end)) / 1e6
    script.add(.up("eth0"), total / 2)
    script.add(.down(.noCarrier), 0.3)
    script.add(.up("eth0"), total / 2 - 0.3)
    let (report, lines) = try Self.picture(script, Style(isColored: false, width: 80))
    #expect(lines.joined().contains("▂"))
    #expect(lines.joined().contains("300 ms"))
    #expect(report.rows.map(\.outages).reduce(0, +) == 1)
    let marks = try Self.plot(script).matches(
      of: /<path class="pb" d="M[0-9.,]+h([0-9.]+)v([0-9.]+)/)
    let (width, height) = (Double(try #require(marks.first).1) ?? 0, Double(try #require(marks.first).2) ?? 0)
    #expect(width >= 2 && height >= 2)
  }

  @Test func `the plot has rectangles alone, so nothing joins a gap`() throws {
    let plot = try Self.plot(try Self.script(days: 100))
    for path in plot.matches(of: /<path class="(p[a-z])" d="([^"]*)"/) where path.1 != "pg" {
      #expect(path.2.wholeMatch(of: /(M[0-9.]+,[0-9.]+h[0-9.]+v[0-9.]+h-[0-9.]+z)+/) != nil)
    }
    #expect(!plot.contains("<polyline") && !plot.contains("<line"))
  }

  @Test func `the rows of the page and of JSON agree with the outages that happened`() throws {
    let script = try Self.script(days: 30)
    let happened = script.spans.filter { $0.isOutage }
    let report = try #require(try HistoryReport.of(script, calendar: Self.calendar))
    var writer = JSONWriter()
    ReportJSON.write(report, Self.calendar, zone: "Europe/Berlin", to: &writer)
    let json = try JSONValue(parsing: writer.bytes)
    let listed = try #require(json["outages"]?.arrayValue)
    #expect(listed.map { $0["startMicroseconds"]?.integerValue } == happened.map(\.start.microseconds))
    #expect(listed.map { $0["durationMicroseconds"]?.integerValue } == happened.map(\.duration))
    #expect(listed.map { $0["cause"]?.stringValue } == happened.map { $0.state.outageReason?.rawValue })
    #expect(json["outageCount"]?.integerValue == Int64(happened.count))
    #expect(json["offlineMicroseconds"]?.integerValue == happened.reduce(0) { $0 + $1.duration })

    let page = ReportPage(report, Self.calendar, zone: "Europe/Berlin", host: "host").html
    let table = try #require(page.firstRange(of: "id=\"outages\"").map { page[$0.upperBound...] })
    let rows = table.matches(
      of: /<tr><td>([^<]*)<\/td><td>([^<]*)<\/td><td class="n">[^<]*<\/td><td class="n">([^<]*)<\/td>/)
    #expect(rows.count == happened.count)
    for (row, span) in zip(rows, happened) {
      let local = Self.calendar.localTime(of: span.start)
      #expect(row.1 == "\(local.date) \(local.clock) \(local.offset.text)")
      #expect(row.3 == LengthText.milliseconds(span.duration))
    }
  }

  @Test func `the page needs nothing but itself`() throws {
    let report = try #require(try HistoryReport.of(try Self.script(days: 3), calendar: Self.calendar))
    let page = ReportPage(report, Self.calendar, zone: "Europe/Berlin", host: "host").html
    for word in ["http:", "https:", "src=", "<link", "@import", "url(", "onload"] { #expect(!page.contains(word)) }
    #expect(page.contains("an outage behind a living router is not seen"))
    #expect(page.contains("times in Europe/Berlin"))
    // Who reads it knows what was measured before the long list, and where each cause was.
    let method = try #require(page.firstRange(of: "How this was measured")).lowerBound
    #expect(method < (try #require(page.firstRange(of: "id=\"outages\"")).lowerBound))
    #expect(page.contains("<td>No carrier</td><td>from here to the router</td>"))
    #expect(!page.contains("not shorter"))
  }

  @Test func `a record has local time with its offset, UTC and the path`() throws {
    var script = SpanScript(from: try Self.calendar.moment("2026-10-25T02:30:00+02:00"))
    script.add(.up("wlan0", .wifi, expensive: true, network: "Home"), 3_600.25)
    let span = try #require(script.spans.first)
    let row = RecordsCSV.row(span, in: span.start..<span.end, Self.calendar)
    #expect(row.count == RecordsCSV.header.count)
    #expect(
      row == [
        "2026-10-25T02:30:00.000000+02:00", "2026-10-25T00:30:00.000000+00:00", "2026-10-25T02:30:00.250000+01:00",
        "2026-10-25T01:30:00.250000+00:00", "3600.250000", "connected", "", "wlan0", "wifi", "192.0.2.1", "Home",
        "true",
        "false", "1", "status", "6f8a", "1", "",
      ])
  }

  @Test func `the last field of a record is the sentence that names the culprit of downtime`() throws {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    path.diagnosis = Diagnosis(code: .noCarrier, subject: "=x", sentence: "=x has no carrier: is the cable plugged in?")
    #expect(RecordsCSV.header.last == "sentence")
    #expect(try Self.lastField(of: path) == "'=x has no carrier: is the cable plugged in?\r\n")
    path.diagnosis = nil
    #expect(try Self.lastField(of: path) == "\r\n")
    // The diagnosis of a path is a doubt, and no cause of downtime.
    path = NetworkPath(status: .satisfied, knowledge: .known)
    path.diagnosis = Diagnosis(code: .noCarrier, subject: "eth1", sentence: "eth1 has no carrier")
    #expect(try Self.lastField(of: path) == "\r\n")
  }

  private static func lastField(of path: NetworkPath) throws -> String? {
    var script = SpanScript(from: try calendar.moment("2026-10-25T02:30:00+02:00"))
    script.add(.path(RecordedPath(path)), 1)
    let span = try #require(script.spans.first)
    let line = RecordsCSV.line(RecordsCSV.row(span, in: span.start..<span.end, calendar))
    return line.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init)
  }

  @Test(
    "a share is rounded down, so that only a time without downtime has 100 %",
    arguments: [
      (0, 0, "–"), (10, 0, "100 %"), (0, 10, "0.00 %"), (9_999_999, 1, "99.999 %"), (999, 1, "99.900 %"),
      (9_989, 11, "99.89 %"), (1, 1, "50.00 %"),
    ])
  func shares(connected: Int64, offline: Int64, text: String) {
    var totals = PathTotals()
    totals.satisfied = connected
    if offline > 0 { totals.unsatisfiedByReason = [.noRoute: offline] }
    #expect(LengthText.share(totals) == text)
  }

  @Test(
    "a length has its one or two largest units",
    arguments: [
      (0, "0 s"), (400, "under 1 ms"), (340_900, "340 ms"), (12_480_000, "12.4 s"), (125_000_000, "2 min 5 s"),
      (97_200_000_000, "1 d 3 h"),
    ])
  func lengths(microseconds: Int64, text: String) {
    #expect(LengthText.text(microseconds) == text)
  }
}

extension String {
  /// The text without complete marks of colour.
  fileprivate var replacingMarks: String { replacing(/\u{1b}\[[0-9;]+m[^\u{1b}]*\u{1b}\[0m/, with: "") }
}

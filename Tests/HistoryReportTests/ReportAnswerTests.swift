import History
import HistoryReport
import PathModel
import SystemIO
import Testing

@testable import Programs

@Suite("Answers to questions about the history")
struct ReportAnswerTests {
  private static let start = HistoryInstant(microseconds: 1_793_185_200 * HistoryInstant.second)

  private static var script: SpanScript {
    var script = SpanScript(from: start)
    for _ in 0..<900 {
      script.add(.up("eth0"), 100)
      script.add(.down(.noCarrier), 2)
    }
    return script
  }

  /// An answer; `nil` if nothing was recorded.
  private static func answer(
    _ query: HistoryQuery, _ script: SpanScript = script, unwritten: Int = 0,
    _ style: Style = Style(isColored: false, width: 80)
  ) throws -> String? {
    var answer = ReportAnswer(query, now: script.end, .utc, zone: "UTC", host: "host", style)
    answer.unwritten = unwritten
    return try answer.bytes(from: script.history).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The lines of the records, without the names of the columns.
  private static func records(_ query: HistoryQuery, _ script: SpanScript = script) throws -> [Substring] {
    let lines = try #require(try answer(query, script)).split(separator: "\r\n")
    #expect(lines[0].hasPrefix("start_local,start_utc,"))
    return Array(lines.dropFirst())
  }

  @Test func `the advice to show more is about the same history`() {
    var query = HistoryQuery()
    #expect(
      query.nothingRecorded == "nothing was recorded in this time. 'pathctl history --since 1y' shows more.")
    query.store = "/tmp/history"
    #expect(
      query.nothingRecorded
        == "nothing was recorded in this time. 'pathctl history --store /tmp/history --since 1y' shows more.")
  }

  @Test func `changes that the recorder cannot write yet are in the picture, on the page and in JSON`() throws {
    var script = SpanScript(from: Self.start)
    script.add(.up("eth0"), 100)
    func answer(_ form: HistoryQuery.Form, unwritten: Int) throws -> String {
      try #require(try Self.answer(.with { $0.form = form }, script, unwritten: unwritten, Style(isColored: false)))
    }
    let sentence =
      "are missing here: the recorder cannot write now ('journalctl -u pathmonitor-history' has the reason)"
    #expect(try answer(.picture, unwritten: 5).contains("\n  5 changes \(sentence)\n"))
    #expect(try answer(.html(file: "-"), unwritten: 5).contains("5 changes are missing here"))
    #expect(try answer(.json, unwritten: 5).contains(#""unwrittenChanges":5,"#))
    #expect(try !answer(.picture, unwritten: 0).contains("missing"))
    #expect(HistoryReport.words(unwritten: 1)?.hasPrefix("1 change is missing here") == true)
  }

  @Test func `each record has its line, in order`() throws {
    let lines = try Self.records(.with { $0.form = .csv })
    #expect(lines.map { $0.contains(",offline,noCarrier,") } == (0..<1_800).map { $0 % 2 == 1 })
  }

  @Test func `records can be those of outages of a length and of paths that do not meet a requirement`() throws {
    var query = HistoryQuery()
    (query.form, query.requirement, query.atLeast) = (.csv, try PathRequirement("connected"), .seconds(3))
    #expect(try Self.records(query).isEmpty)
    query.atLeast = .seconds(2)
    #expect(try Self.records(query).count == 900)
  }

  @Test func `the length of an outage is that of all its records`() throws {
    var script = SpanScript(from: Self.start)
    script.add(.up("eth0"), 1)
    for _ in 0..<10 {
      script.add(.down(.noCarrier), 1)
      script.add(.down(.noRoute), 1)
    }
    script.add(.up("eth0"), 1)
    script.add(.down(.noCarrier), 3)
    script.add(nil, 60)
    script.add(.down(.noCarrier), 3)
    let query = HistoryQuery.with { ($0.form, $0.atLeast) = (.csv, .seconds(5)) }
    #expect(
      try Self.records(query, script).map { $0.contains(",offline,") } == [false] + Array(repeating: true, count: 20)
        + [false])
  }

  @Test func `the time that was connected, but unanswered, is in the picture and in JSON`() throws {
    var script = SpanScript(from: Self.start)
    script.add(.up("eth0"), 100)
    script.add(.up("eth0", validation: .unanswered), 30)
    let picture = try #require(try Self.answer(.init(), script))
    #expect(picture.contains("connected 100 % of"))
    #expect(picture.contains("\n  connected, but unanswered: 30.0 s, which is no outage\n"))
    let json = try #require(try Self.answer(.with { $0.form = .json }, script))
    #expect(json.contains(#""unvalidated":[{"state":"unanswered","microseconds":30000000}]"#))
  }

  @Test(
    "each form has its beginning",
    arguments: [
      (.picture, "connected 98.03 %"), (.json, "{\"since\":"), (.html(file: "-"), "<!DOCTYPE html>"),
      (.svg(file: "-"), "<svg xmlns="),
    ] as [(HistoryQuery.Form, String)])
  func beginnings(form: HistoryQuery.Form, beginning: String) throws {
    #expect(try Self.answer(.with { $0.form = form })?.hasPrefix(beginning) == true)
  }

  @Test(arguments: [HistoryQuery.Form.picture, .json, .csv, .html(file: "-")])
  func `a time without a record has no answer`(form: HistoryQuery.Form) throws {
    #expect(try Self.answer(.with { ($0.form, $0.until) = (form, .instant(Self.start)) }) == nil)
  }

  @Test func `many records are shown by their sums, with the newest outages`() throws {
    var script = SpanScript(from: Self.start)
    for _ in 0...HistoryReport.mostRecords / 2 {
      script.add(.up("eth0"), 100)
      script.add(.down(.noCarrier), 2)
    }
    let text = try #require(try Self.answer(.with { $0.since = .instant(Self.start) }, script))
    let count = HistoryReport.mostRecords / 2 + 1
    #expect(text.contains("\(count) outages"))
    #expect(text.contains("and \(count - HistoryReport.listed) before"))
    #expect(text.contains("longest 2.0 s"))
    #expect(text.split(separator: "\n").filter { $0.contains("no carrier") }.count == HistoryReport.listed)
  }
}

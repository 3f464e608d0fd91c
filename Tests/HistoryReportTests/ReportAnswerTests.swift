import Glibc
import HistoryProgram
import HistoryReport
import PathHistory
import PathModel
import Programs
import SystemIO
import Testing

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

  /// The parts of an answer; `nil` if nothing was recorded.
  private static func parts(_ query: HistoryQuery, _ script: SpanScript = script) throws -> [[UInt8]]? {
    let answer = ReportAnswer(
      query, now: script.end, .utc, zone: "UTC", host: "host", Style(isColored: false, width: 80))
    var parts: [[UInt8]] = []
    let isFound = try answer.write(from: script.history) { bytes throws(SystemError) in parts.append(bytes) }
    return isFound ? parts : nil
  }

  @Test func `the advice to show more is about the same history`() {
    var query = HistoryQuery()
    let message = ReportProgram.nothingRecorded(for: query)
    #expect(message == "nothing was recorded in this time. 'pathctl history --since 1y' shows more.")
    query.store = "/tmp/history"
    let ofStore = ReportProgram.nothingRecorded(for: query)
    #expect(
      ofStore == "nothing was recorded in this time. 'pathctl history --store /tmp/history --since 1y' shows more.")
  }

  @Test func `records are written as they are read, each once and in order`() throws {
    var query = HistoryQuery()
    query.form = .csv
    let parts = try #require(try Self.parts(query))
    #expect(parts.count > 1)
    let lines = String(decoding: parts.joined(), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 1 + 1_800)
    #expect(lines[0].hasPrefix("start_local,start_utc,"))
    #expect(lines.dropFirst().map { $0.contains(",offline,noCarrier,") } == (0..<1_800).map { $0 % 2 == 1 })
  }

  @Test func `records can be those of outages of a length and of paths that do not meet a requirement`() throws {
    var query = HistoryQuery()
    (query.form, query.requirement, query.atLeast) = (.csv, try PathRequirement("connected"), .seconds(3))
    #expect(
      try Self.parts(query).map { String(decoding: $0.joined(), as: UTF8.self).split(separator: "\r\n").count } == 1)
    query.atLeast = .seconds(2)
    #expect(
      try Self.parts(query).map { String(decoding: $0.joined(), as: UTF8.self).split(separator: "\r\n").count } == 901)
  }

  @Test(
    "each form has its beginning",
    arguments: [
      ("picture", "connected 98.03 %"), ("json", "{\"since\":"), ("html", "<!DOCTYPE html>"), ("svg", "<svg xmlns="),
    ])
  func beginnings(form: String, beginning: String) throws {
    var query = HistoryQuery()
    query.form = ["json": .json, "html": .html(file: "-"), "svg": .svg(file: "-")][form] ?? .picture
    let parts = try #require(try Self.parts(query))
    #expect(String(decoding: parts.joined(), as: UTF8.self).hasPrefix(beginning))
  }

  @Test(arguments: [HistoryQuery.Form.picture, .json, .csv, .html(file: "-")])
  func `a time without a record has no answer`(form: HistoryQuery.Form) throws {
    var query = HistoryQuery()
    (query.form, query.until) = (form, .instant(Self.start))
    #expect(try Self.parts(query) == nil)
  }

  @Test func `many records are shown by their sums, with the newest outages`() throws {
    var script = SpanScript(from: Self.start)
    for _ in 0...HistoryReport.mostRecords / 2 {
      script.add(.up("eth0"), 100)
      script.add(.down(.noCarrier), 2)
    }
    var query = HistoryQuery()
    query.since = .instant(Self.start)
    let text = String(decoding: try #require(try Self.parts(query, script)).joined(), as: UTF8.self)
    let count = HistoryReport.mostRecords / 2 + 1
    #expect(text.contains("\(count) outages"))
    #expect(text.contains("and \(count - HistoryReport.listed) before"))
    #expect(text.contains("longest 2.0 s"))
    #expect(text.split(separator: "\n").filter { $0.contains("no carrier") }.count == HistoryReport.listed)
  }

  @Test func `without a recorder, the message says how to enable it`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(69), observing: [\.standardErrorContent]) {
        let open = { (_: String?) throws(HistoryError) -> any HistoryReading in
          throw HistoryError(.noHistory, message: "there is no file")
        }
        exit(ReportProgram.run(arguments: [], open: open))
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("systemctl enable --now pathmonitor-history"))
  }
}

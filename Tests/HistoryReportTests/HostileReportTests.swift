import History
import HistoryReport
import PathModel
import PathTestSupport
import Testing

@testable import Programs

@Suite("Reports with names that others choose")
struct HostileReportTests {
  private static let calendar = LocalCalendar.berlin

  /// A report in which the interface, the network and the reason of an outage have the name.
  private static func script(_ name: String) throws -> SpanScript {
    var script = SpanScript(from: try calendar.moment("2026-10-20 09:00"))
    script.add(.up(name, .wifi, network: name), 1_000)
    script.add(.down(UnsatisfiedReason(rawValue: name)), 60)
    script.add(.up(name, .wifi, network: name), 1_000)
    return script
  }

  private static func report(_ name: String) throws -> HistoryReport {
    try #require(try HistoryReport.of(try script(name), .with { $0.interface = name }, calendar: calendar))
  }

  /// The bytes of a markup that have a meaning, in their order.
  private static func skeleton(_ markup: String) -> [UInt8] { markup.utf8.filter { "<>\"'".utf8.contains($0) } }

  @Test(arguments: HostileNames.all)
  func `no name adds a tag, an attribute or a mark of its end to a page or a plot`(name: String) throws {
    let (plain, hostile) = (try Self.report("x"), try Self.report(name))
    func page(_ report: HistoryReport, _ host: String) -> String {
      ReportPage(report, Self.calendar, zone: host, host: host).html
    }
    #expect(Self.skeleton(page(hostile, name)) == Self.skeleton(page(plain, "x")))
    let plots = [hostile, plain].map { Self.skeleton(AvailabilityPlot.svg($0, isDocument: true)) }
    #expect(plots[0] == plots[1])
    for text in [page(hostile, name), AvailabilityPlot.svg(hostile, isDocument: true)] {
      // XML 1.0 allows no other control characters.
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{FFFE}" || $0 == "\u{FFFF}" })
    }
  }

  @Test(arguments: HostileNames.all)
  func `a record stays one line with its columns, and its JSON has the name`(name: String) throws {
    for span in try Self.script(name).spans {
      let row = RecordsCSV.row(span, in: span.start..<span.end, Self.calendar)
      let line = RecordsCSV.line(row)
      #expect(line.utf8.count { $0 == 10 } == 1 && line.utf8.last == 10)
      var (commas, isQuoted) = (0, false)
      for byte in line.utf8 {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: ","), !isQuoted { commas += 1 }
      }
      #expect(commas == RecordsCSV.header.count - 1 && !isQuoted)
    }
    var writer = JSONWriter()
    ReportJSON.write(try Self.report(name), Self.calendar, zone: name, to: &writer)
    _ = try JSONValue(parsing: writer.bytes)
  }

  @Test(arguments: HostileNames.all)
  func `no name garbles the picture of a report`(name: String) throws {
    let style = Style(isColored: false, width: 80)
    for line in ReportPicture.lines(try Self.report(name), style, Self.calendar) {
      #expect(line.utf8.elementsEqual(line.inOneLine.utf8))
    }
  }

  @Test func `networks whose names differ in bytes alone are two states`() {
    for (one, other) in HostileNames.equivalent {
      #expect(HistoryState.up("wlan0", .wifi, network: one) != .up("wlan0", .wifi, network: other))
      #expect(HistoryState.up(one, .wifi) != .up(other, .wifi))
    }
  }
}

import History
import HistoryReport
import Testing

@Suite("Timelines")
struct TimelineTests {
  private static let calendar = LocalCalendar.berlin

  private static func window(_ first: String, _ last: String) throws -> Range<HistoryInstant> {
    try calendar.moment(first)..<calendar.moment(last)
  }

  @Test(
    "slots cover the window without a gap, in every layout",
    arguments: [(Timeline.Row.hour, 20), (.day, 24), (.day, 288), (.week, 42), (.month, 31)])
  func cover(row: Timeline.Row, cells: Int) throws {
    let window = try Self.window("2026-10-23 11:17", "2026-11-03 05:00")
    let timeline = Timeline(window, row: row, cells: cells, Self.calendar)
    #expect(timeline.slots.first?.start == window.lowerBound)
    var total: Int64 = 0
    for (number, slot) in timeline.windows.enumerated() {
      #expect(slot.lowerBound < slot.upperBound)
      #expect(timeline.slot(at: slot.lowerBound) == number)
      #expect(timeline.slot(at: slot.upperBound.advanced(by: -1)) == number)
      total += slot.microseconds
    }
    #expect(total == window.microseconds)
    #expect(timeline.slot(at: window.upperBound) == nil)
    #expect(timeline.slots.allSatisfy { $0.cell < cells && $0.row < timeline.rows.count })
  }

  @Test func `an hour that the clocks repeat has its two passes in the same cell`() throws {
    let timeline = Timeline(try Self.window("2026-10-25", "2026-10-26"), row: .day, cells: 24, Self.calendar)
    #expect(timeline.rows.count == 1)
    #expect(timeline.slots.filter { $0.cell == 2 }.count == 2)
    #expect(timeline.slots.count == 25)
  }

  @Test func `an hour that the clocks skip has no slot`() throws {
    let timeline = Timeline(try Self.window("2026-03-29", "2026-03-30"), row: .day, cells: 24, Self.calendar)
    #expect(!timeline.slots.contains { $0.cell == 2 })
    #expect(timeline.slots.count == 23)
  }

  @Test func `rows are local days, weeks from Monday, and months`() throws {
    let window = try Self.window("2026-10-23 11:17", "2026-11-03 05:00")
    func beginnings(_ row: Timeline.Row, _ cells: Int) -> [String] {
      Timeline(window, row: row, cells: cells, Self.calendar).rows.map(\.date.description)
    }
    #expect(beginnings(.day, 24).count == 12)
    #expect(beginnings(.week, 7) == ["2026-10-19", "2026-10-26", "2026-11-02"])
    #expect(beginnings(.month, 31) == ["2026-10-01", "2026-11-01"])
  }
}

import HistoryReport
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
  @Test(
    "a day and its number lead to each other",
    arguments: [
      (0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_780, "2026-11-23"),
      (47_540, "2100-02-28"), (47_541, "2100-03-01"), (-1, "1969-12-31"),
    ])
  func days(number: Int, text: String) {
    #expect(CivilDate(daysSince1970: number).description == text)
    #expect(CivilDate(daysSince1970: number).daysSince1970 == number)
  }

  @Test(
    "numbers that no calendar has are no day", arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 4, 31), (1969, 1, 1)])
  func noDays(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func `a month later is the same day, or the last of a shorter month`() throws {
    let last = try #require(CivilDate(year: 2026, month: 1, day: 31))
    #expect(last.advanced(byMonths: 1).description == "2026-02-28")
    #expect(last.advanced(byMonths: -2).description == "2025-11-30")
    #expect(last.advanced(byMonths: 25).description == "2028-02-29")
    #expect(last.advanced(byMonths: 11).description == "2026-12-31")
  }

  @Test func `weeks begin on Monday`() throws {
    let monday = try #require(CivilDate(year: 2026, month: 11, day: 23))
    #expect(monday.weekday == 0 && monday.weekdayName == "Mon")
    #expect(monday.advanced(byDays: -1).startOfWeek.description == "2026-11-16")
    #expect(CivilDate(daysSince1970: -4).weekdayName == "Sun")
  }
}

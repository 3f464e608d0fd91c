import Glibc
import History
import HistoryReport
import SystemIO
import Testing

@Suite("Local time")
struct LocalCalendarTests {
  private static let calendar = LocalCalendar.berlin

  @Test(
    "a moment has the local time of its side of a change",
    arguments: [
      (1_774_745_999, "2026-03-29T01:59:59.000000+01:00"), (1_774_746_000, "2026-03-29T03:00:00.000000+02:00"),
      (1_792_889_999, "2026-10-25T02:59:59.000000+02:00"), (1_792_890_000, "2026-10-25T02:00:00.000000+01:00"),
    ])
  func sides(second: Int64, text: String) {
    let instant = HistoryInstant(microseconds: second * HistoryInstant.second)
    #expect(Self.calendar.localTime(of: instant).precise == text)
  }

  @Test func `a local time that occurs twice means the first, one that never occurs the change`() throws {
    let spring = try #require(CivilDate(year: 2026, month: 3, day: 29))
    let autumn = try #require(CivilDate(year: 2026, month: 10, day: 25))
    #expect(Self.calendar.instant(spring, secondOfDay: 9_000).microseconds == 1_774_746_000 * HistoryInstant.second)
    #expect(Self.calendar.instant(autumn, secondOfDay: 9_000).microseconds == 1_792_888_200 * HistoryInstant.second)
  }

  @Test("a day has the hours of its clocks", arguments: [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-01", 24)])
  func lengths(day: String, hours: Int64) throws {
    let word = try TimeWord(day)
    let now = HistoryInstant(microseconds: 0)
    let window = word.instant(.since, now: now, Self.calendar)..<word.instant(.until, now: now, Self.calendar)
    #expect(window.microseconds == hours * HistoryInstant.hour)
    #expect(Self.calendar.parts(of: window).count == (hours == 24 ? 1 : 2))
  }

  @Test func `the zone of the process is that of its TZ, across a change`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TZ", "Europe/Berlin", 1)
      tzset()
      #expect(SystemTimeZone.name == "Europe/Berlin")
      for second: Int64 in [1_774_745_999, 1_774_746_000, 1_792_889_999, 1_792_890_000] {
        let (seconds, abbreviation) = SystemTimeZone.offset(at: second)
        #expect(TimeZoneOffset(seconds: seconds, abbreviation: abbreviation) == Berlin2026().offset(at: second))
      }
    }
  }

  @Test func `a zone with quarters of an hour has them`() {
    #expect(TimeZoneOffset(seconds: 20_700, abbreviation: "+0545").text == "+05:45")
  }
}

import History
import HistoryReport
import Testing

@Suite("Words for moments")
struct TimeWordTests {
  private static let calendar = LocalCalendar.berlin

  /// Wednesday 28 October 2026, 12:00:00 in Berlin: three days after the clocks went back.
  private static let now = HistoryInstant(microseconds: 1_793_185_200 * HistoryInstant.second)

  @Test(
    "a word means a local time",
    arguments: [
      ("now", "2026-10-28 12:00:00", "2026-10-28 12:00:00"), ("90min", "2026-10-28 10:30:00", "2026-10-28 10:30:00"),
      ("24h", "2026-10-27 12:00:00", "2026-10-27 12:00:00"),
      // The same time of day, although 7 days had 169 hours; 168 hours are an hour more by the clock.
      ("7d", "2026-10-21 12:00:00", "2026-10-21 12:00:00"), ("168h", "2026-10-21 13:00:00", "2026-10-21 13:00:00"),
      ("1w", "2026-10-21 12:00:00", "2026-10-21 12:00:00"), ("-2 days", "2026-10-26 12:00:00", "2026-10-26 12:00:00"),
      ("3 days ago", "2026-10-25 12:00:00", "2026-10-25 12:00:00"),
      ("1mon", "2026-09-28 12:00:00", "2026-09-28 12:00:00"), ("1y", "2025-10-28 12:00:00", "2025-10-28 12:00:00"),
      ("today", "2026-10-28 00:00:00", "2026-10-29 00:00:00"),
      ("Yesterday", "2026-10-27 00:00:00", "2026-10-28 00:00:00"),
      ("yesterday 14:30", "2026-10-27 14:30:00", "2026-10-27 14:30:00"),
      ("wed", "2026-10-28 00:00:00", "2026-10-29 00:00:00"), ("thursday", "2026-10-22 00:00:00", "2026-10-23 00:00:00"),
      ("14:30", "2026-10-28 14:30:00", "2026-10-28 14:30:00"),
      ("2026-10-25", "2026-10-25 00:00:00", "2026-10-26 00:00:00"),
      ("2026-10-25 01:15:20", "2026-10-25 01:15:20", "2026-10-25 01:15:20"),
      ("2026-10-25T01:15", "2026-10-25 01:15:00", "2026-10-25 01:15:00"),
      ("2026-10-25T00:30:00Z", "2026-10-25 02:30:00", "2026-10-25 02:30:00"),
      ("2026-10-25 02:30+01:00", "2026-10-25 02:30:00", "2026-10-25 02:30:00"),
      ("2026-10", "2026-10-01 00:00:00", "2026-11-01 00:00:00"), ("2026", "2026-01-01 00:00:00", "2027-01-01 00:00:00"),
    ])
  func meanings(text: String, since: String, until: String) throws {
    let word = try TimeWord(text)
    for (bound, expected) in [(TimeWord.Bound.since, since), (.until, until)] {
      let time = Self.calendar.localTime(of: word.instant(bound, now: Self.now, Self.calendar))
      #expect("\(time.date) \(time.clock)" == expected)
    }
  }

  @Test func `an offset chooses between the two passes of an hour`() throws {
    let first = try TimeWord("2026-10-25 02:30+02:00").instant(.since, now: Self.now, Self.calendar)
    let second = try TimeWord("2026-10-25 02:30+01:00").instant(.since, now: Self.now, Self.calendar)
    #expect(first.microseconds(to: second) == HistoryInstant.hour)
  }

  @Test(
    "a text that is no moment is refused",
    arguments: [
      "", " ", "soon", "7", "7x", "2026-02-30", "2026-13", "26-10-25", "2026-10-25 25:00", "14:60", "14",
      "2026-10 12:00",
      "yesterday today", "2026-10-25 14:00 15:00", "14:30Z", "99999y", "1.5d", "m", "ago", "\u{0661}d",
    ])
  func refusals(text: String) {
    #expect(throws: TimeWord.ParseError.self) { try TimeWord(text) }
  }
}

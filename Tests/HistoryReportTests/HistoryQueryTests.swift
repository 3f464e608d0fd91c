import HistoryReport
import PathHistory
import PathModel
import Testing

@Suite("Questions about the history")
struct HistoryQueryTests {
  @Test func `the words of a question give the same question`() throws {
    var query = HistoryQuery()
    #expect(try HistoryQuery(words: query.words(since: nil, until: nil)) == query)
    query.since = try TimeWord("7d")
    query.until = try TimeWord("yesterday 14:30")
    query.interface = "a=b,--json"
    query.requirement = try PathRequirement("not-(wifi,unmetered)")
    query.atLeast = .milliseconds(1_500)
    query.store = "/tmp/a b=c"
    for form: HistoryQuery.Form in [.picture, .json, .csv, .html(file: "--x=y"), .svg(file: "-")] {
      query.form = form
      #expect(try HistoryQuery(words: query.words(since: "7d", until: "yesterday 14:30")) == query)
    }
  }

  @Test(
    "words that are no question are refused", arguments: ["since", "--sinc=7d", "--since=soon", "--at-least=x", "-"])
  func refusals(word: String) {
    #expect(throws: HistoryQuery.WordError.self) { try HistoryQuery(words: [word]) }
  }

  @Test func `without a start, the window begins seven days before its end`() throws {
    let now = try LocalCalendar.berlin.moment("2026-10-28 12:00")
    var query = HistoryQuery()
    #expect(query.window(now: now, .berlin) == (try LocalCalendar.berlin.moment("2026-10-21 12:00"))..<now)
    query.until = try TimeWord("2026-10-24")
    #expect(
      query.window(now: now, .berlin)
        == (try LocalCalendar.berlin.moment("2026-10-18"))..<(try LocalCalendar.berlin.moment("2026-10-25")))
    query.until = try TimeWord("2027")
    #expect(query.window(now: now, .berlin).upperBound == now)
  }
}

import History
import HistoryReport
import PathModel
import Programs
import Testing

@Suite("Questions about the history")
struct HistoryQueryTests {
  @Test func `a question is read from the words of a command line`() throws {
    #expect(try HistoryQuery(arguments: []) == HistoryQuery())
    var query = HistoryQuery()
    query.since = try TimeWord("7d")
    query.until = try TimeWord("yesterday 14:30")
    query.interface = "a=b,--json"
    query.requirement = try PathRequirement("not-(wifi,unmetered)")
    query.atLeast = .milliseconds(1_500)
    query.store = "/tmp/a b=c"
    query.isPaged = false
    let words = [
      "--since", "7d", "--until=yesterday 14:30", "--interface=a=b,--json", "--requirement", "not-(wifi,unmetered)",
      "--at-least=1500ms", "--store", "/tmp/a b=c", "--no-pager",
    ]
    let forms: [([String], HistoryQuery.Form)] = [
      ([], .picture), (["--json"], .json), (["--csv"], .csv), (["--html=--x=y"], .html(file: "--x=y")),
      (["--svg", "-"], .svg(file: "-")),
    ]
    for (option, form) in forms {
      query.form = form
      #expect(try HistoryQuery(arguments: words + option) == query)
    }
  }

  @Test(arguments: [
    ("--since soon", "'soon' is no time for --since"), ("--until 2026-02-30", "there is no such day"),
    ("--requirement wiffi", "'wiffi' is no requirement for --requirement"),
    ("--json --csv", "--json and --csv exclude each other"),
    ("--html a --svg b", "--html and --svg exclude each other"),
    ("eth0", "'eth0' is one argument too many"), ("--at-least x", "'x' is no time for --at-least"),
    ("--sinc=7d", "there is no option '--sinc' (did you mean '--since'?)"), ("--store=", "'' is no path for --store"),
  ])
  func `a mistake in a question is named`(line: String, part: String) {
    let error = #expect(throws: UsageError.self) {
      try HistoryQuery(arguments: line.split(separator: " ").map(String.init))
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
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

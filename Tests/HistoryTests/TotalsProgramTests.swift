import History
import HistoryTestSupport
import PathModel
import Testing

@Suite("Totals of the history for metrics")
struct TotalsProgramTests {
  private static func answer(_ machine: Machine, after silence: Int64 = 0) throws -> JSONValue {
    let now = try #require(machine.present).end.advanced(by: silence)
    return try JSONValue(parsing: TotalsProgram.line(of: ListedHistory(machine.spans), at: now))
  }

  @Test func `the sums of everything that was recorded are one line, as pathctl reads it`() throws {
    var machine = Machine()
    machine.show((connected, 10 * second), (offline, 3 * second), (path(.noRoute), 2 * second), (connected, second))
    let totals = try PathTotals(json: Self.answer(machine))
    #expect(totals.outages == 1)
    #expect(totals.unsatisfiedByReason == [.noCarrier: 3 * second, .noRoute: 2 * second])
    #expect(totals.changes == machine.totals.changes)
  }

  @Test func `an outage that is going on counts as far as it is known`() throws {
    var machine = Machine()
    machine.show(offline)
    for _ in 1...3 {
      machine.pass(20 * second)
      machine.tick()
      let totals = try PathTotals(json: Self.answer(machine))
      #expect(totals.unsatisfiedByReason == [.noCarrier: try #require(machine.present).duration])
      #expect(totals.unsatisfiedByReason[.noCarrier] ?? 0 > 0)
    }
  }

  @Test(arguments: [(0, true), (60, true), (180, true), (181, false), (86_400, false), (-2, true), (-86_400, false)])
  func `a recorder that has not marked for three minutes is stopped`(seconds: Int64, isRecording: Bool) throws {
    var machine = Machine()
    machine.show(connected, for: second)
    machine.tick()
    #expect(try Self.answer(machine, after: seconds * second)["isRecording"]?.booleanValue == isRecording)
  }

  @Test func `a history without a record has no sums, and its recorder has not begun`() throws {
    let line = try TotalsProgram.line(of: ListedHistory([]), at: Machine.start)
    let value = try JSONValue(parsing: line)
    #expect(try PathTotals(json: value) == PathTotals())
    #expect(value["isRecording"] == false)
  }
}

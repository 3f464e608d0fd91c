import HistoryTestSupport
import Testing

@testable import History

/// The times at which spans are written and marked, with moments of the test.
@Suite struct RecordScheduleTests {
  private func spans(_ count: Int) -> [HistorySpan] {
    var machine = Machine()
    for number in 0..<count {
      machine.show(number % 2 == 0 ? connected : offline, for: second)
    }
    machine.show(.unknown)
    return machine.takeClosed()
  }

  @Test func `the first change is written at once, and those that follow at once are written together`() {
    var schedule = RecordSchedule()
    schedule.add(spans(1), at: 1_000)
    #expect(schedule.step(at: 1_000) == .write)
    schedule.began()
    schedule.written(at: 1_000)
    schedule.add(spans(2), at: 2_000)
    schedule.add(spans(2), at: 3_000)
    #expect(schedule.step(at: 3_000) == .wait)
    #expect(schedule.due == 1_000 + RecordSchedule.pause)
    #expect(schedule.step(at: 1_000 + RecordSchedule.pause) == .write)
    #expect(schedule.waiting.count == 4)
  }

  @Test func `a span is marked after 1, 2, 4 and at last every 60 s`() {
    var schedule = RecordSchedule()
    schedule.add([], at: 0)
    schedule.began()
    schedule.written(at: 0)
    #expect(pauses(of: &schedule, 9, before: .mark) { $0.marked(at: $1) } == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }

  @Test func `a failed write is tried again later, and a change meanwhile does not hasten it`() {
    var schedule = RecordSchedule()
    schedule.add(spans(3), at: 0)
    schedule.failed(at: 0)
    schedule.add(spans(2), at: 1)
    #expect(schedule.step(at: second - 1) == .wait)
    #expect(pauses(of: &schedule, 8, before: .write) { $0.failed(at: $1) } == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(schedule.waiting.count == 5)
  }

  @Test func `changes are unwritten from the first failure until a writing succeeds`() {
    var schedule = RecordSchedule()
    schedule.add(spans(3), at: 0)
    #expect(schedule.unwritten == 0, "they are about to be written")
    schedule.began()
    schedule.failed(at: 0)
    #expect(schedule.unwritten == 3)
    schedule.noteLoss(of: 2)
    schedule.add(spans(1), at: 1)
    #expect(schedule.unwritten == 6)
    schedule.began()
    #expect(schedule.unwritten == 6, "they may fail again")
    schedule.written(at: second)
    #expect(schedule.unwritten == 0)
  }

  @Test func `changes during a writing wait for its end, and those that it had are kept if it fails`() {
    var schedule = RecordSchedule()
    let closed = spans(5)
    schedule.add(Array(closed.prefix(2)), at: 0)
    schedule.noteLoss(of: 3)
    schedule.began()
    #expect(schedule.waiting.isEmpty && schedule.lost == 0)
    schedule.add(Array(closed[2...3]), at: 10)
    #expect(schedule.step(at: 10 * second) == .wait)
    schedule.failed(at: 10 * second)
    #expect(schedule.waiting == Array(closed.prefix(4)) && schedule.lost == 3)
    #expect(schedule.step(at: 11 * second) == .write)
    schedule.began()
    schedule.add(Array(closed.suffix(1)), at: 11 * second)
    schedule.written(at: 12 * second)
    #expect(schedule.waiting == Array(closed.suffix(1)) && schedule.lost == 0)
    #expect(schedule.step(at: 12 * second + RecordSchedule.pause) == .write)
  }

  /// The seconds before each of the next steps, which all are expected to be the same one and end in the same way.
  private func pauses(
    of schedule: inout RecordSchedule, _ count: Int, before step: RecordSchedule.Step,
    _ end: (inout RecordSchedule, Int64) -> Void
  ) -> [Int64] {
    var (now, pauses) = (Int64(0), [] as [Int64])
    for _ in 0..<count {
      guard let due = schedule.due else { break }
      pauses.append((due - now) / second)
      now = due
      #expect(schedule.step(at: now) == step)
      end(&schedule, now)
    }
    return pauses
  }

  @Test func `of the spans that wait for a disk the first and the newest are kept, and the others are counted`() {
    var schedule = RecordSchedule()
    schedule.failed(at: 0)
    let most = RecordSchedule.mostWaiting
    let closed = spans(most + 10)
    schedule.add(Array(closed.prefix(most)), at: 0)
    #expect(schedule.lost == 0)
    schedule.add(Array(closed.suffix(10)), at: 1)
    #expect(schedule.lost == 10)
    #expect(schedule.waiting == Array(closed.prefix(1) + closed.dropFirst(11)))
    schedule.began()
    schedule.written(at: 2)
    #expect(schedule.lost == 0)
  }
}

import PathService
import SystemIO
import Testing

@Suite("The limit of entries about changes")
struct ChangeLimitTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
  private static func moment(_ seconds: Double) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

  /// The entries of a day in which the path changes at an interval, each as its sum; `nil` for a single change.
  private static func day(every interval: Duration) -> [ChangeLimit.Sum?] {
    var limit = ChangeLimit(at: start)
    var entries: [ChangeLimit.Sum?] = []
    var timer: MonotonicInstant?
    func perform(_ action: ChangeLimit.Action?) {
      switch action {
      case nil: break
      case .write(let sum): entries.append(sum)
      case .wait(let moment): timer = moment
      }
    }
    let end = start.advanced(by: .seconds(86_400))
    var (next, isSatisfied) = (start, false)
    while next < end {
      if let due = timer, due <= next {
        timer = nil
        perform(limit.timerFired(at: due))
        continue
      }
      perform(limit.change(isSatisfied: isSatisfied, at: next))
      isSatisfied.toggle()
      next = next.advanced(by: interval)
    }
    if let sum = limit.take(at: end) { entries.append(sum) }
    return entries
  }

  /// The size of an entry with the fields that the journal adds, as `journalctl -o export` has it, in bytes.
  private static let size = 1_300

  @Test(
    "a day of changes takes less than half a megabyte, however often the path changes",
    arguments: [0.25, 1.5, 10, 60, 299, 301, 600])
  func day(seconds: Double) {
    let entries = Self.day(every: .seconds(seconds))
    #expect(entries.count <= ChangeLimit.burst + 288 + 1)
    #expect(entries.count * Self.size < 500_000)
    let count = entries.reduce(0) { $0 + ($1?.changes ?? 1) }
    #expect(count == Int((86_400 / seconds).rounded(.up)), "no change is forgotten")
  }

  @Test func `57,600 changes in a day are the first of them, and then a sum every five minutes`() {
    let entries = Self.day(every: .seconds(1.5))
    #expect(entries.prefix(ChangeLimit.burst).allSatisfy { $0 == nil })
    let sums = entries.dropFirst(ChangeLimit.burst).compactMap(\.self)
    #expect(sums.count == entries.count - ChangeLimit.burst)
    // All but the first and the last stand for 200 changes.
    #expect(sums.dropFirst().dropLast().allSatisfy { $0.changes == 200 && $0.time == .seconds(300) })
    #expect(sums.dropFirst().dropLast().allSatisfy { $0.satisfied == .seconds(150) })
  }

  @Test func `changes with room between them have an entry each, at once`() {
    #expect(Self.day(every: .seconds(300)).allSatisfy { $0 == nil })
  }

  @Test func `the last of a burst is written late, with the time that it stands for`() {
    var limit = ChangeLimit(at: Self.start)
    for number in 0..<ChangeLimit.burst {
      #expect(limit.change(isSatisfied: number % 2 == 0, at: Self.moment(Double(number))) == .write(nil))
    }
    // 20 s of the interval are saved already.
    #expect(limit.change(isSatisfied: true, at: Self.moment(20)) == .wait(until: Self.moment(300)))
    guard case .write(let sum?) = limit.timerFired(at: Self.moment(300)) else {
      Issue.record("no entry with a sum")
      return
    }
    #expect((sum.changes, sum.time, sum.satisfied) == (1, .seconds(281), .seconds(280)))
    #expect(limit.timerFired(at: Self.moment(600)) == nil)
    #expect(limit.take(at: Self.moment(600)) == nil)
  }

  @Test func `a timer that comes early or after the entry does nothing`() {
    var limit = ChangeLimit(at: Self.start)
    for _ in 0..<ChangeLimit.burst { _ = limit.change(isSatisfied: false, at: Self.start) }
    #expect(limit.change(isSatisfied: true, at: Self.start) == .wait(until: Self.moment(300)))
    #expect(limit.timerFired(at: Self.moment(299)) == .wait(until: Self.moment(300)))
    // A change at the moment of the timer has the sum.
    guard case .write(let sum?) = limit.change(isSatisfied: false, at: Self.moment(300)) else {
      Issue.record("no entry with a sum")
      return
    }
    #expect(sum.changes == 2)
    #expect(limit.timerFired(at: Self.moment(300)) == nil)
  }
}

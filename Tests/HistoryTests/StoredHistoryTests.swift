import History
import HistoryTestSupport
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

/// The file with the spans that were written into it.
@Suite struct StoredHistoryTests {
  private let directory: ScratchDirectory
  private let file: String

  init() throws {
    directory = try ScratchDirectory()
    file = directory("history.sqlite")
  }

  private func writer(bytes: Int64 = 64 << 20, days: Int64 = 400, hours: Int64 = 1_100) throws -> HistoryWriter {
    try HistoryWriter(
      file, limits: HistoryLimits(bytes: bytes, spans: days * HistoryInstant.day, hours: hours * HistoryInstant.day),
      isDurable: false)
  }

  /// Some days with changes, gaps, suspends and steps of the clock, written one by one.
  private func record(_ seed: UInt64, changes: Int = 300) throws -> [HistorySpan] {
    var machine = Machine()
    var generator = SeededGenerator(seed: seed)
    let writer = try writer()
    var spans: [HistorySpan] = []
    for _ in 0..<changes {
      machine.pass(Int64.random(in: 1..<1_800 * second, using: &generator))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: machine.setWall(by: Int64.random(in: -HistoryInstant.hour...HistoryInstant.hour, using: &generator))
      case 1: machine.sleep(Int64.random(in: 10_000..<9 * HistoryInstant.hour, using: &generator))
      case 2: machine.show(.unknown)
      case 3: machine.show(nil)
      case 4: machine.show(expensive("wwan\(Int.random(in: 0..<3, using: &generator))"))
      case 5...7: machine.show(offline)
      case 8: machine.show(path(.noRoute))
      default: machine.show(connected)
      }
      let closed = machine.takeClosed()
      spans += closed
      try writer.write(closed, present: machine.settled())
    }
    machine.pass(10 * second)
    machine.tick()
    spans += machine.takeClosed()
    guard let present = machine.present else { return spans }
    try writer.mark(present)
    return spans + [present]
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func `a reader gets the spans that were written`(seed: UInt64) throws {
    let written = try record(seed)
    #expect(try storedSpans(file) == written)
    let history = try StoredHistory(reading: file)
    #expect(try history.lifetimeTotals() == ListedHistory(written).lifetimeTotals())
    #expect(try history.extent()?.latest == written.last?.end)
    #expect(try history.extent()?.spans == written.count)
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func `sums of any windows are those of the spans`(seed: UInt64) throws {
    let written = try record(seed)
    let listed = ListedHistory(written)
    var generator = SeededGenerator(seed: seed)
    let first = Machine.start.microseconds - HistoryInstant.day
    var windows: [Range<HistoryInstant>] = []
    for _ in 0..<200 {
      let start = Int64.random(in: first..<first + 8 * HistoryInstant.day, using: &generator)
      let length = Int64.random(in: 0..<3 * HistoryInstant.day, using: &generator)
      windows.append(HistoryInstant(microseconds: start)..<HistoryInstant(microseconds: start + length))
    }
    let totals = try StoredHistory(reading: file).totals(of: windows)
    for (window, totals) in zip(windows, totals) { #expect(totals == listed.totals(of: [window])[0]) }
    for window in windows.prefix(20) {
      var expected: [HistorySpan] = []
      listed.spans(in: window) { expected.append($0) }
      #expect(try storedSpans(file, in: window) == expected)
    }
  }

  @Test func `a file stays below its size, and the sums stay exact`() throws {
    let limit: Int64 = 1 << 20
    let writer = try writer(bytes: limit)
    var machine = Machine()
    var generator = SeededGenerator(seed: 5)
    var sums = PathTotals()
    for _ in 0..<300 {
      for _ in 0..<100 {
        machine.show(
          (connected, Int64.random(in: 1..<10 * second, using: &generator)),
          (offline, Int64.random(in: 1..<10 * second, using: &generator)))
      }
      let closed = machine.takeClosed()
      for span in closed { sums.add(span) }
      try writer.write(closed, present: machine.settled())
    }
    try writer.write(&machine)
    sums.add(try #require(machine.present))
    let history = try StoredHistory(reading: file)
    let extent = try #require(try history.extent())
    #expect(try #require(extent.bytes) <= limit)
    #expect(extent.firstSpan > Machine.start)
    #expect(try history.lifetimeTotals() == sums)
    let all = Machine.start.startOfDay..<machine.clocks.wall.startOfDay.advanced(by: HistoryInstant.day)
    #expect(try history.totals(of: [all]) == [sums])
    // Days of a zone whose hours are those of UTC.
    var days: [Range<HistoryInstant>] = []
    var day = Machine.start.startOfDay.advanced(by: -5 * HistoryInstant.hour)
    while day < machine.clocks.wall {
      days.append(day..<day.advanced(by: HistoryInstant.day))
      day = day.advanced(by: HistoryInstant.day)
    }
    var sum = PathTotals()
    for totals in try history.totals(of: days) { sum.add(totals) }
    #expect(sum == sums)
  }

  @Test func `sums of hours go by age, and those of days stay`() throws {
    let writer = try writer(days: 2, hours: 5)
    var machine = Machine()
    var sums = PathTotals()
    for _ in 0..<20 * 48 {
      machine.show((connected, 1_500 * second), (offline, 300 * second))
      let closed = machine.takeClosed()
      for span in closed { sums.add(span) }
      try writer.write(closed, present: machine.settled())
    }
    machine.tick()
    try writer.write([], present: machine.settled())
    sums.add(try #require(machine.present))
    let history = try StoredHistory(reading: file)
    let now = machine.clocks.wall
    let extent = try #require(try history.extent())
    #expect(extent.firstSpan >= now.advanced(by: -2 * HistoryInstant.day - HistoryInstant.hour))
    #expect(extent.firstTotals == Machine.start.startOfDay)
    let all = Machine.start.startOfDay..<now.startOfDay.advanced(by: HistoryInstant.day)
    #expect(try history.totals(of: [all]) == [sums])
    #expect(try history.lifetimeTotals() == sums)
    // Of a day without hours, a part of its sums.
    let day = Machine.start.startOfDay.advanced(by: 3 * HistoryInstant.day)
    let half = try history.totals(of: [day..<day.advanced(by: HistoryInstant.day / 2)])[0]
    #expect(half.unsatisfied == 2 * HistoryInstant.hour)
    #expect(half.outages == 48)
  }

  @Test func `a recorder that was killed has its last span up to the mark`() throws {
    var machine = Machine()
    do {
      let writer = try writer()
      machine.show(offline)
      try writer.write(machine.takeClosed(), present: machine.settled())
      machine.pass(30 * second)
      machine.tick()
      try writer.mark(try #require(machine.present))
    }
    #expect(try StoredHistory(reading: file).lifetimeTotals().unsatisfied == 30 * second)
    #expect(try writer().last?.duration == 30 * second)
    // Opened once more, it is counted once.
    #expect(try writer().last?.duration == 30 * second)
    #expect(try StoredHistory(reading: file).lifetimeTotals().unsatisfied == 30 * second)
  }

  @Test(arguments: 0..<32) func `a torn mark is not used`(position: Int) throws {
    var machine = Machine()
    let writer = try writer()
    machine.show(offline, for: second)
    try writer.write(&machine)
    machine.pass(1_000_000 * second)
    machine.tick()
    try writer.mark(try #require(machine.present))
    var bytes = try Bytes.read(file + "-mark")
    bytes[position] ^= 0x55
    try Bytes.write(bytes, to: file + "-mark")
    #expect(try StoredHistory(reading: file).lifetimeTotals().unsatisfied == second)
  }

  @Test func `there is one writer at a time`() throws {
    let first = try writer()
    let error = #expect(throws: HistoryError.self) { try writer() }
    #expect(error?.code == .busy)
    #expect(first.last == nil)
  }

  @Test func `a mark of another span is not used`() throws {
    var machine = Machine()
    let writer = try writer()
    machine.show(offline, for: 100 * second)
    try writer.write(&machine)
    try writer.mark(try #require(machine.present))
    machine.show(connected, for: second)
    try writer.write(&machine)
    #expect(try StoredHistory(reading: file).lifetimeTotals().satisfied == second)
  }
}

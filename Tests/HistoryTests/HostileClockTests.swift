import History
import HistoryTestSupport
import PathModel
import ProcessTestSupport
import Testing

/// Wall clocks that are wrong by years, as on machines without a battery.
@Suite struct HostileClockTests {
  private let directory: ScratchDirectory
  private let file: String
  private static let year = 365 * HistoryInstant.day
  private static let limits = HistoryLimits(bytes: 1 << 20, spans: 400 * HistoryInstant.day, hours: 3 * year)

  init() throws {
    directory = try ScratchDirectory()
    file = directory("history.sqlite")
  }

  /// Records an outage of a minute for each of some days, one by one.
  private func record(days: Int, _ machine: inout Machine, to writer: HistoryWriter) throws {
    for _ in 0..<days {
      machine.show((connected, HistoryInstant.day), (offline, 60 * second))
      try writer.write(&machine)
    }
  }

  private func spans() throws -> [HistorySpan] { try storedSpans(file) }

  @Test(arguments: [-57 * year, -27 * year, 50 * year])
  func `a boot decades away by the wall clock needs no more room than any other`(step: Int64) throws {
    var machine = Machine()
    let writer = try HistoryWriter(file, limits: Self.limits, isDurable: false)
    try record(days: 3, &machine, to: writer)
    let before = try #require(try StoredHistory(reading: file).extent()?.bytes)
    machine.reboot(after: step)
    machine.show(connected, for: 20 * second)
    machine.show(offline)
    try writer.write(&machine)
    // The clock is set, as by NTP.
    machine.setWall(by: -step)
    machine.tick()
    machine.pass(second)
    machine.show(connected, for: second)
    machine.tick()
    try writer.write(&machine)
    #expect(try #require(try StoredHistory(reading: file).extent()?.bytes) <= before + 64 * 1_024)
    let totals = try StoredHistory(reading: file).lifetimeTotals()
    #expect(totals.notWatched == 0)
    #expect(totals.watched == 3 * (HistoryInstant.day + 60 * second) + 22 * second)
  }

  @Test func `a boot two years ahead for two seconds removes no more than a day's worth`() throws {
    var machine = Machine()
    do {
      let writer = try HistoryWriter(file, limits: Self.limits, isDurable: false)
      try record(days: 60, &machine, to: writer)
    }
    let before = try spans().count
    machine.reboot(after: 2 * Self.year)
    _ = machine.takeClosed()
    // The recorder is started again and again in this boot.
    for _ in 0..<5 {
      let writer = try HistoryWriter(file, limits: Self.limits, isDurable: false)
      machine.show((connected, second), (offline, second))
      try writer.write(&machine)
      machine.restart()
      _ = machine.takeClosed()
    }
    let kept = try spans().filter { $0.bootID == "boot 1" }
    #expect(kept.count >= before - 3)
  }

  @Test(arguments: [2 * year, -57 * year])
  func `a first start with a wrong clock counts each outage once, and hides nothing`(step: Int64) throws {
    var machine = Machine()
    machine.setWall(by: step)
    let writer = try HistoryWriter(file, limits: Self.limits, isDurable: false)
    machine.show((connected, 20 * second), (offline, second))
    try writer.write(&machine)
    machine.setWall(by: -step)
    machine.tick()
    machine.pass(second)
    try writer.write(&machine)
    try record(days: 2, &machine, to: writer)
    machine.tick()
    try writer.write(&machine)
    let history = try StoredHistory(reading: file)
    let extent = try #require(try history.extent())
    #expect(extent.firstSpan <= Machine.start.advanced(by: 22 * second))
    let window = Machine.start..<machine.clocks.wall.advanced(by: second)
    var outages = 0
    try history.spans(in: window) { outages += $0.outages }
    // The first one began before the clock was set, and goes on in the window.
    #expect(outages == 2)
    #expect(try history.totals(of: [window])[0].outages == 2)
    #expect(try history.lifetimeTotals().outages == 3)
  }
}

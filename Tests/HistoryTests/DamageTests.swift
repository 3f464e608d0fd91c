import Foundation
import HistoryTestSupport
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

@testable import History

/// Files that are damaged, foreign or of other versions, and readers with few rights.
@Suite struct DamageTests {
  private let directory: ScratchDirectory
  private let file: String
  private let limits = HistoryLimits(bytes: 64 << 20, spans: HistoryInstant.day * 400, hours: HistoryInstant.day * 400)

  init() throws {
    directory = try ScratchDirectory()
    file = directory("history.sqlite")
  }

  /// Writes an outage of one second for each day.
  private func record(days: Int = 400) throws -> PathTotals {
    let writer = try HistoryWriter(file, limits: limits, isDurable: false)
    var machine = Machine()
    for _ in 0..<days {
      machine.show((connected, HistoryInstant.day), (offline, second))
    }
    let present = machine.settled()
    let totals = machine.totals
    try writer.write(machine.takeClosed(), present: present)
    return totals
  }

  @Test(arguments: [1, 100, 4_096, 5_000, 40_000]) func `a torn file is kept aside as it is`(lost: Int) throws {
    _ = try record()
    let bytes = try Bytes.read(file).dropLast(lost)
    try Bytes.write(Array(bytes), to: file)
    let error = #expect(throws: HistoryError.self) { try HistoryWriter(file, limits: limits) }
    #expect(error?.code == .damaged)
    let name = try HistoryWriter.setAside(file, at: HistoryInstant(microseconds: 1_800_000_000 * second))
    #expect(name == file + ".damaged-20270115-080000")
    #expect(try Bytes.read(name) == Array(bytes))
    _ = try record(days: 3)
    #expect(try Bytes.read(name) == Array(bytes))
  }

  @Test func `two files that are kept aside in one second have two names`() throws {
    let names = try (0..<3).map { _ in
      try Bytes.write([1, 2, 3], to: file)
      return try HistoryWriter.setAside(file, at: Machine.start)
    }
    #expect(Set(names).count == 3)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `bytes that change on the disk never crash a reader, and are never repaired silently`(seed: UInt64) throws {
    _ = try record(days: 100)
    var bytes = try Bytes.read(file)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    try Bytes.write(bytes, to: file)
    do throws(HistoryError) {
      let history = try StoredHistory(reading: file)
      _ = try history.lifetimeTotals()
      try history.spans(in: Machine.start..<Machine.start.advanced(by: HistoryInstant.day * 1_000)) { _ in }
    } catch {
      #expect(error.code == .damaged || error.code == .laterVersion || error.code == .other)
    }
    #expect(try Bytes.read(file) == bytes)
  }

  @Test func `a database of another program is no history`() async throws {
    try await execute("CREATE TABLE x (y)")
    let before = try Bytes.read(file)
    #expect(throws: HistoryError.self) { try StoredHistory(reading: file) }
    let error = #expect(throws: HistoryError.self) { try HistoryWriter(file, limits: limits) }
    #expect(error?.code == .other)
    #expect(try Bytes.read(file) == before)
  }

  /// Executes statements on the file, as somebody else could.
  private func execute(_ statements: String) async throws {
    _ = try await Python.run(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", file, statements)
  }

  @Test(arguments: [
    "span SET duration = 9223372036854775807", "span SET duration = -5", "span SET start = 9223372036854775807",
    "span SET start = -9223372036854775808", "span SET outage_before = 9223372036854775807",
    "span SET changes = -1", "span SET outages = 9223372036854775807", "span SET boottime = 9223372036854775807",
    "span SET state = 7", "span SET number = 9223372036854775807 WHERE number = (SELECT max(number) FROM span)",
    "span SET duration = 36028797018963968", "path SET json = 'x'",
    "span SET path = 99999", "lifetime SET satisfied = 9223372036854775807", "lifetime SET outages = -1",
    "lifetime_reason SET unsatisfied = 9223372036854775807", "hour SET start = start + 4000000000000000000",
    "day SET satisfied = 9223372036854775807",
  ])
  func `a number that no history has is damage, for readers and for the recorder`(change: String) async throws {
    _ = try record(days: 30)
    try await execute("UPDATE \(change)")
    let first = HistoryInstant(microseconds: 0)
    let window = first..<Machine.start.advanced(by: HistoryInstant.day * 1_000)
    func read() throws(HistoryError) {
      let history = try StoredHistory(reading: file)
      _ = try history.extent()
      _ = try history.lifetimeTotals()
      var totals = PathTotals()
      try history.spans(in: window) { totals.add($0) }
      let middle = Machine.start.advanced(by: HistoryInstant.day * 3 + second)
      for window in try history.totals(of: [first..<middle, middle..<window.upperBound]) { totals.add(window) }
      _ = totals.all
    }
    do throws(HistoryError) {
      try read()
      // Not every number is read.
      #expect(change.hasPrefix("hour") || change.hasPrefix("day"))
    } catch {
      #expect(error.code == .damaged || error.code == .other, "\(error)")
    }
    do throws(HistoryError) {
      let writer = try HistoryWriter(file, limits: limits, isDurable: false)
      var machine = Machine(after: writer.last)
      machine.show(connected, for: second)
      try writer.write(&machine)
    } catch {
      #expect(error.code == .damaged || error.code == .other, "\(error)")
    }
  }

  @Test(arguments: [
    "DROP TABLE hour", "ALTER TABLE span RENAME COLUMN changes TO chances", "DELETE FROM present",
    "DROP TABLE present",
  ])
  func `a history whose tables have changed is set aside, and a new one begins`(change: String) async throws {
    _ = try record(days: 2)
    try await execute(change)
    var history = HistoryFile(file, limits: limits) { _ in }
    var machine = Machine()
    for _ in 1...3 {
      machine.show((connected, second), (offline, second))
      let (present, closed) = (machine.settled(), machine.takeClosed())
      let isWritten = history.write(closed, present: present, lost: 0, now: machine.clocks.wall)
      #expect(isWritten)
    }
    #expect(try StoredHistory(reading: file).lifetimeTotals().outages > 0)
  }

  @Test func `a mark that no recorder has made is not used`() throws {
    _ = try record(days: 3)
    let last = try #require(try HistoryWriter(file, limits: limits, isDurable: false).last)
    for duration in [Int64.max, 1 << 60, -1] {
      try Bytes.write(Bytes.mark(number: last.number, duration: duration), to: file + "-mark")
      #expect(try StoredHistory(reading: file).extent()?.latest == last.end)
      #expect(try HistoryWriter(file, limits: limits, isDurable: false).last == last)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a view without an end is damage`() async throws {
    _ = try record(days: 3)
    try await execute(
      """
      DROP TABLE span;
      CREATE VIEW span AS WITH RECURSIVE endless(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM endless)
        SELECT number, 0 AS state, 1 AS path, 0 AS start, 1 AS duration, 0 AS boottime, 1 AS boot, 1 AS changed,
        0 AS sequence, 0 AS changes, 0 AS outages, 0 AS outage_before FROM endless;
      """)
    let reading = #expect(throws: HistoryError.self) { try StoredHistory(reading: file) }
    let writing = #expect(throws: HistoryError.self) { try HistoryWriter(file, limits: limits) }
    #expect(reading?.code == .damaged)
    #expect(writing?.code == .damaged)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["mkfifo", "mkdir"])
  func `what is no regular file holds nobody`(maker: String) async throws {
    _ = try await RunningProgram.run([maker, file])
    #expect(throws: HistoryError.self) { try StoredHistory(reading: file) }
    #expect(throws: HistoryError.self) { try HistoryWriter(file, limits: limits) }
  }

  @Test func `a file that is larger than its limit becomes smaller`() throws {
    let totals = try record(days: 4_000)
    let before = try #require(try StoredHistory(reading: file).extent())
    #expect(try #require(before.bytes) > 2 << 20)
    let lower = HistoryLimits(bytes: 1 << 20, spans: limits.spans, hours: limits.hours)
    _ = try HistoryWriter(file, limits: lower, isDurable: false).last
    let after = try #require(try StoredHistory(reading: file).extent())
    #expect(try #require(after.bytes) <= 1 << 20)
    #expect(after.latest == before.latest)
    #expect(after.firstSpan > before.firstSpan)
    #expect(try StoredHistory(reading: file).lifetimeTotals() == totals)
  }

  @Test func `a history of a later version is neither read nor changed`() async throws {
    _ = try record(days: 3)
    try await execute("PRAGMA user_version = 1000")
    let before = try Bytes.read(file)
    let reading = #expect(throws: HistoryError.self) { try StoredHistory(reading: file) }
    let writing = #expect(throws: HistoryError.self) { try HistoryWriter(file, limits: limits) }
    #expect(reading?.code == .laterVersion)
    #expect(writing?.code == .laterVersion)
    #expect(try Bytes.read(file) == before)
  }

  @Test func `a history of version 1 is read, and written on`() async throws {
    let totals = try record(days: 3)
    let spans = try storedSpans(file)
    try await execute(Self.downgrade)
    let writer = try HistoryWriter(file, limits: limits)
    #expect(writer.last == spans.last)
    var machine = Machine(after: writer.last)
    machine.show(connected, for: second)
    try writer.write(&machine)
    let history = try StoredHistory(reading: file)
    #expect(try storedSpans(file).prefix(spans.count) == spans[...] && history.extent()?.spans == spans.count + 1)
    #expect(try history.lifetimeTotals().satisfied == totals.satisfied + second)
    let empty = Machine.start.advanced(by: -2 * HistoryInstant.hour)..<Machine.start
    #expect(try history.totals(of: [empty])[0].all == 0)
  }

  /// Makes a file as the first version wrote it, in which time that was not watched had rows.
  private static let downgrade =
    """
    ALTER TABLE present DROP COLUMN spans_since; ALTER TABLE present DROP COLUMN hours_since;
    ALTER TABLE span ADD COLUMN longest_folded INTEGER;
    INSERT INTO span SELECT 0, 2, NULL, start - 100000000, 100000000, NULL, boot, changed, 0, 0, 0, 0, NULL
      FROM span WHERE number = 1;
    PRAGMA user_version = 1;
    """
    + ["hour", "day", "lifetime"].map { "ALTER TABLE \($0) ADD COLUMN not_watched INTEGER NOT NULL DEFAULT 9;" }
    .joined()

  @Test func `an empty file is no history yet`() throws {
    try Bytes.write([], to: file)
    let error = #expect(throws: HistoryError.self) { try StoredHistory(reading: file) }
    #expect(error?.code == .noHistory)
    _ = try record(days: 1)
    #expect(try StoredHistory(reading: file).extent()?.spans == 2)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `a user who may not write to the folder reads while the recorder writes`() async throws {
    let totals = try record()
    let writer = try HistoryWriter(file, limits: limits)
    #expect(unsafe chmod(directory.path, 0o755) == 0)
    #expect(unsafe chmod(file, 0o644) == 0)
    let program = """
      import os, sqlite3, sys
      os.setgroups([]); os.setgid(65534); os.setuid(65534)
      history = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
      try:
          open(sys.argv[1], "ab")
          sys.exit("the file can be written")
      except PermissionError:
          pass
      for _ in range(200):
          print(history.execute("SELECT sum(outages) FROM lifetime").fetchone()[0], flush=True)
      """
    let reader = try RunningProgram(["python3", "-c", program, file])
    var machine = Machine(after: writer.last)
    var outages = Int64(0)
    for count in 1...100 {
      machine.show((connected, second), (offline, second))
      let closed = machine.takeClosed()
      outages += Int64(closed.reduce(0) { $0 + $1.outages })
      let present = machine.settled()
      // A reader may hold a write up. It is made again.
      while true {
        do throws(HistoryError) {
          try writer.write(closed, present: present)
          break
        } catch {
          try #require(error.code == .busy, "\(error)")
        }
      }
      _ = try await reader.output.wait(lines: count)
    }
    #expect(try await reader.waitForExit() == 0, "\(reader.complaints.text)")
    let read = reader.output.lines.compactMap { Int64($0) }
    #expect(read.count == 200)
    #expect(read == read.sorted())
    #expect(read.allSatisfy { $0 >= totals.outages && $0 <= totals.outages + outages })
  }
}

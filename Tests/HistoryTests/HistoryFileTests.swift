import Foundation
import HistoryTestSupport
import PathModel
import ProcessTestSupport
import Testing

@testable import History

/// The file of a recorder that others take away, put back or lock.
@Suite final class HistoryFileTests {
  private let directory: ScratchDirectory
  private let path: String
  private var machine = Machine()
  private var messages: [String] { said.lines }
  private static let limits = HistoryLimits(
    bytes: 8 << 20, spans: 400 * HistoryInstant.day, hours: 1_100 * HistoryInstant.day)
  private let said: Said
  private var file: HistoryFile

  // A test writes in one thread only.
  private final class Said: @unchecked Sendable { var lines: [String] = [] }

  init() throws {
    directory = try ScratchDirectory()
    path = directory("history.sqlite")
    let said = Said()
    file = HistoryFile(path, limits: Self.limits) { said.lines.append($0) }
    self.said = said
  }

  private func write(lost: Int = 0) -> Bool {
    let present = machine.settled()
    return file.write(machine.takeClosed(), present: present, lost: lost, now: machine.clocks.wall)
  }

  /// Records an outage of a second.
  private func record() {
    machine.show((connected, second), (offline, second))
    #expect(write())
  }

  private func spans() throws -> [HistorySpan] { try storedSpans(path) }

  private func copy(_ source: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: source, toPath: target)
  }

  @Test func `a new history does not take over the mark of one that was removed`() throws {
    machine.show(connected)
    #expect(write())
    machine.pass(100 * second)
    #expect(file.mark(try #require(machine.present)))
    try FileManager.default.removeItem(atPath: path)
    machine = Machine()
    file = HistoryFile(path, limits: Self.limits) { [said] in said.lines.append($0) }
    record()
    record()
    // The fourth is the present one.
    #expect(try spans().prefix(3).map(\.duration) == [second, second, second])
  }

  @Test func `a history that is put back is continued, and nothing of it is replaced`() throws {
    record()
    record()
    try copy(path, to: directory("copy"))
    let kept = try spans()
    record()
    try FileManager.default.moveItem(atPath: directory("copy"), toPath: path + ".new")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
    record()
    record()
    let found = try spans()
    #expect(Array(found.prefix(kept.count - 1)) == Array(kept.dropLast()))
    #expect(found.map(\.number) == Array(1...Int64(found.count)))
    // No time is in it twice.
    #expect(zip(found, found.dropFirst()).allSatisfy { $1.boottime >= $0.endBoottime })
    #expect(try StoredHistory(reading: path).lifetimeTotals() == ListedHistory(found).lifetimeTotals())
    #expect(messages == [])
  }

  @Test func `a history that is taken away begins anew with the present state`() throws {
    record()
    try FileManager.default.removeItem(atPath: path)
    machine.pass(second)
    machine.tick()
    #expect(file.mark(try #require(machine.present)))
    #expect(try spans().map(\.state) == [offline])
    #expect(try spans().first?.number == 1)
  }

  @Test func `a reader holds a write up for less than a second, and nothing is counted twice`() throws {
    record()
    machine.show(connected, for: second)
    machine.show(offline)
    let (closed, present) = (machine.takeClosed(), machine.settled())
    func write(lost: Int) -> Bool { file.write(closed, present: present, lost: lost, now: machine.clocks.wall) }
    func writeBesideReader() throws -> Bool {
      let reader = try StoredHistory(reading: path)
      return withExtendedLifetime(reader) { write(lost: 0) }
    }
    let began = ContinuousClock.now
    #expect(try !writeBesideReader())
    #expect(began.duration(to: .now) < .seconds(1))
    #expect(try StoredHistory(reading: path).lifetimeTotals().outages == 1)
    #expect(write(lost: 3))
    #expect(try StoredHistory(reading: path).lifetimeTotals() == ListedHistory(try spans()).lifetimeTotals())
    #expect(messages.count == 2)
    #expect(messages.first?.contains("Changes are kept in memory until it can be written") == true)
    #expect(messages.last?.hasSuffix("3 changes are missing in it.") == true)
  }

  @Test func `a file that is no history stays as it is`() throws {
    try "machine\n".write(toFile: path, atomically: false, encoding: .utf8)
    machine.show(offline)
    #expect(!write())
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "machine\n")
    #expect(messages.count == 1)
    #expect(messages.first?.contains("\(path) is no history of the network path") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["history.sqlite", "history.sqlite-lock"])
  }
}

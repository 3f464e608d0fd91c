import HistoryTestSupport
import PathModel
import ProcessTestSupport
import Testing

@testable import History

@Suite("pathctl history")
struct HistoryVerbTests {
  /// The moment at which clocks in Berlin went back in 2025.
  private static let change = HistoryInstant(microseconds: 1_761_440_400 * second)
  private static let berlin: [String: String?] = ["TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"]

  /// A history with 30 outages in the hours around the change, as a script has them.
  private static func record(in file: String) throws -> [HistorySpan] {
    var spans: [HistorySpan] = []
    var start = change.advanced(by: -3 * HistoryInstant.hour)
    var boottime: Int64 = 1
    for number in 1...61 {
      let isOutage = number % 2 == 0
      var span = HistorySpan(
        number: Int64(number), state: isOutage ? path(number % 4 == 0 ? .noRoute : .noCarrier) : connected,
        start: start,
        duration: isOutage ? Int64(number) * 310_001 : 700 * second, boottime: boottime, bootID: "boot")
      (span.changes, span.outages) = (1, isOutage ? 1 : 0)
      spans.append(span)
      (start, boottime) = (span.end, span.endBoottime)
    }
    let limits = HistoryLimits(bytes: 8 << 20, spans: 40_000 * HistoryInstant.day, hours: 40_000 * HistoryInstant.day)
    let writer = try HistoryWriter(file, limits: limits, isDurable: false)
    try writer.write(Array(spans.dropLast()), present: spans[60])
    return spans
  }

  private static func history(_ file: String, _ words: String...) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      [RunningProgram.pathctl, "history", "--store", file, "--since", "2025-10-25", "--until", "2025-10-26"] + words,
      environment: berlin)
  }

  @Test func `JSON has the outages of the script and the zone of the process, and the page is written`() async throws {
    let directory = try ScratchDirectory()
    let outages = try Self.record(in: directory("history")).filter(\.isOutage)
    let json = try await Self.history(directory("history"), "--json")
    #expect(json.status == 0 && json.complaints.isEmpty)
    let starts = json.output.matches(of: /"start":"[^"]*","startMicroseconds":(\d+),/).map { Int64($0.1) }
    #expect(starts == outages.map(\.start.microseconds))
    #expect(json.output.contains(#""timeZone":"Europe/Berlin""#))
    let page = try await Self.history(directory("history"), "--html", directory("page.html"))
    #expect(page.status == 0 && page.output.isEmpty && page.complaints.isEmpty)
    let written = try await RunningProgram.run(["cat", directory("page.html")]).output
    #expect(written.hasPrefix("<!DOCTYPE html>") && written.contains("times in Europe/Berlin"))
  }

  @Test func `records and the picture are in local time, across the change of the clocks`() async throws {
    let directory = try ScratchDirectory()
    let spans = try Self.record(in: directory("history"))
    let table = try await Self.history(directory("history"), "--csv")
    let lines = table.output.split(separator: "\r\n")
    #expect(table.status == 0 && lines.count == spans.count + 1)
    #expect(lines[1].hasPrefix("2025-10-26T00:00:00.000000+02:00,2025-10-25T22:00:00.000000+00:00,"))
    let picture = try await Self.history(directory("history"))
    #expect(picture.status == 0)
    // The clocks show the hour twice.
    #expect(picture.output.split(separator: "\n").filter { $0.hasPrefix("02:00") }.count == 2)
    #expect(picture.output.contains("CEST") && picture.output.contains("CET "))
  }

  @Test func `a history that is not there, or has no record of the time, is named`() async throws {
    let directory = try ScratchDirectory()
    let missing = try await Self.history(directory("none"))
    #expect(missing.status == 69 && missing.complaints.contains("there is no history at \(directory("none"))"))
    _ = try Self.record(in: directory("history"))
    let empty = try await RunningProgram.pathctl(
      "history", "--store", directory("history"), "--since", "2024", "--until", "2024", environment: Self.berlin)
    #expect(empty.status == 1 && empty.complaints.contains("nothing was recorded in this time"))
  }

  @Test func `words come to the program as they were typed, and a mistake is named`() async throws {
    let directory = try ScratchDirectory()
    _ = try Self.record(in: directory("a=b --json"))
    let found = try await RunningProgram.pathctl(
      "--json", "history", "--since=2025-10-25", "--store", directory("a=b --json"), "--interface", "x,\u{301} =",
      environment: Self.berlin)
    #expect(found.status == 0 && found.output.contains("\"interface\":\"x,\u{301} =\""), "\(found)")
    let mistake = try await RunningProgram.pathctl("history", "--since", "soon", environment: Self.berlin)
    #expect(mistake.status == 64 && mistake.complaints.hasPrefix("pathctl: 'soon' is no time for --since"))
    let help = try await RunningProgram.pathctl("history", "--since", "soon", "--help", environment: Self.berlin)
    #expect(help.status == 0 && help.output.contains("--at-least TIME"))
  }

  @Test func `without a recorder, the message says how to enable it`() async throws {
    let script = "mount -t tmpfs none /var/lib && exec \"$0\" history"
    let outcome = try await RunningProgram.run(["unshare", "--mount", "sh", "-c", script, RunningProgram.pathctl])
    #expect(outcome.status == 69 && outcome.complaints.contains("systemctl enable --now pathmonitor-history"))
  }

  @Test(
    arguments: [(["--csv"], 0, true), (["--since", "2024", "--until", "2024"], 1, true), (["--json"], 0, false)]
      as [([String], Int32, Bool)])
  func `missing changes are a complaint where the answer has no place for them`(
    words: [String], status: Int32, isComplaint: Bool
  ) async throws {
    let directory = try ScratchDirectory()
    _ = try Self.record(in: directory("history.sqlite"))
    try directory.write("unwritten", "2\n")
    // Only the recorder of the machine has a number of changes for readers.
    let script = """
      for parent in /var/lib /run; do
        mount -t tmpfs none $parent && mkdir $parent/pathmonitor-history || exit
        mount --bind "$1" $parent/pathmonitor-history || exit
      done
      shift && exec "$0" history --since 2025-10-25 --until 2025-10-26 "$@"
      """
    let outcome = try await RunningProgram.run(
      ["unshare", "--mount", "sh", "-c", script, RunningProgram.pathctl, directory.path] + words,
      environment: Self.berlin)
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.complaints.hasPrefix("pathctl: 2 changes are missing here") == isComplaint, "\(outcome)")
  }

  @Test func `a page never takes the place of a link or a device`() async throws {
    let directory = try ScratchDirectory()
    _ = try Self.record(in: directory("history"))
    let device = try await Self.history(directory("history"), "--html", "/dev/null")
    #expect(device.status == 64 && device.complaints.contains("'/dev/null' is not a regular file"))
    let itself = try await Self.history(directory("history"), "--html", directory("history"))
    #expect(itself.status == 64 && itself.complaints.contains("is the history itself. Choose another file."))
    let output = try await Self.history(directory("history"), "--svg", "-")
    #expect(output.status == 0 && output.output.hasPrefix("<svg xmlns="))
  }
}

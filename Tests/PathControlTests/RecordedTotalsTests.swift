import PathControl
import PathModel
import ProcessTestSupport
import Testing

@Suite("Totals of the history")
struct RecordedTotalsTests {
  /// The totals that a program with the script gives for a history that is there.
  private static func totals(_ script: String) async throws -> PathMetrics.RecordedTotals {
    let directory = try ScratchDirectory()
    try directory.write("history.sqlite", "")
    try await directory.writeProgram("program", "#!/bin/sh\n\(script)\n")
    return .init(store: directory("history.sqlite"), programs: [directory("none"), directory("program")])
  }

  @Test func `without a file there is no history, and no program is run`() throws {
    let directory = try ScratchDirectory()
    let totals = PathMetrics.RecordedTotals(store: directory("history.sqlite"), programs: [directory("none")])
    #expect(totals == .off)
  }

  @Test func `the first program that is there answers with totals`() async throws {
    var expected = PathTotals()
    expected.changes = 5
    expected.unsatisfiedByReason = [.noRoute: 7]
    let answer = #""changes":5,"outages":0,"unsatisfiedMicroseconds":{"noRoute":7},"lastChangeMicroseconds":null"#
    let isAsked = #"[ "$1 $2" = "totals --store" ] && [ -e "$3" ] && [ $# = 3 ] || exit 1"#
    #expect(try await Self.totals("\(isAsked)\necho '{\(answer),\"isRecording\":true}'") == .totals(expected))
    #expect(try await Self.totals("echo '{\(answer),\"isRecording\":false}'") == .stopped(expected))
  }

  @Test(arguments: [
    "exit 69", "kill -9 $$", "echo nonsense", "echo '{}'", "true",
    #"echo '{"changes":5,"outages":0,"unsatisfiedMicroseconds":{},"lastChangeMicroseconds":null}'"#,
    "head -c 100000 /dev/zero",
  ])
  func `a program that does not answer with totals is a history that cannot be read`(script: String) async throws {
    #expect(try await Self.totals(script) == .unreadable)
  }

  @Test func `a history without a program to read it cannot be read`() throws {
    let directory = try ScratchDirectory()
    try directory.write("history.sqlite", "")
    let totals = PathMetrics.RecordedTotals(store: directory("history.sqlite"), programs: [directory("none")])
    #expect(totals == .unreadable)
  }
}

internal import PathModel
internal import Programs
internal import SystemIO

/// The verb `totals` of `pathmonitor-history`, from its arguments to its exit status. `pathctl metrics` runs it.
package enum TotalsProgram {
  private static let program = Program("pathmonitor-history")

  /// How far the latest knowledge of a running recorder is from now at most: it marks every minute. A mark of the
  /// future is from before the clock was set.
  private static let longestSilence = 3 * 60 * HistoryInstant.second

  /// Runs with the arguments after the verb, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    guard arguments.isEmpty || arguments.count == 2 && arguments[0] == "--store" else {
      program.complain("the arguments are wrong. Correct use: pathmonitor-history totals [--store FILE]")
      return ExitStatus.usage
    }
    do throws(HistoryError) {
      let line = try line(
        of: try StoredHistory(reading: arguments.last ?? StoredHistory.usualFile),
        at: HistoryInstant(microseconds: WallClock.microseconds()))
      do throws(SystemError) {
        try Output.write(line, to: 1)
        return ExitStatus.success
      } catch {
        program.complain("\(error.description) on standard output")
        return ExitStatus.unavailable
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.unavailable
    }
  }

  /// The totals of a history as one line of JSON. `isRecording` is false if the recorder seems to be stopped.
  package static func line(
    of history: some HistoryReading, at now: HistoryInstant
  ) throws(HistoryError) -> [UInt8] {
    let totals = try history.lifetimeTotals()
    let isRecording =
      try history.extent().map { $0.isOpen && abs($0.latest.microseconds(to: now)) <= longestSilence } ?? false
    var writer = JSONWriter()
    writer.beginObject()
    totals.writeMembers(to: &writer)
    writer.key("isRecording")
    writer.boolean(isRecording)
    writer.endObject()
    writer.appendRaw(UInt8(ascii: "\n"))
    return writer.bytes
  }
}

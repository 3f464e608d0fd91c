internal import PathModel
internal import Programs
internal import SystemIO

extension PathMetrics.RecordedTotals {
  /// The file in which the history is recorded, if it is.
  package static let usualStore = "/var/lib/pathmonitor-history/history.sqlite"
  /// How long reading may take. The sums are few, whatever the length of the history.
  private static let patience = Duration.seconds(5)
  /// The most bytes of the answer.
  private static let longestAnswer = 65_536

  /// Reads the totals by the program of the history, because `pathctl` knows nothing of databases.
  ///
  /// - Parameters:
  ///   - store: The file of the history. Without it there is none.
  ///   - programs: The places where the program may be; the first that is there is run.
  package init(store: String, programs: [String]) {
    guard Files.isThere(store) else {
      self = .off
      return
    }
    do throws(SystemError) {
      guard let program = programs.first(where: Files.exists) else {
        PathControl.complain("the history cannot be read: there is no \(programs.first ?? "program for it")")
        self = .unreadable
        return
      }
      let output = try ProgramOutput(
        of: [program, "totals", "--store", store], limit: Self.longestAnswer,
        until: .now.advanced(by: Self.patience))
      self = output.ending == .exited(ExitStatus.yes) ? Self.parsed(output.bytes) : .unreadable
    } catch {
      PathControl.complain("the history cannot be read: \(error.description)")
      self = .unreadable
    }
  }

  /// The totals in the answer of the program.
  private static func parsed(_ bytes: [UInt8]) -> PathMetrics.RecordedTotals {
    guard let value = try? JSONValue(parsing: bytes), let totals = try? PathTotals(json: value),
      let isRecording = value["isRecording"]?.booleanValue
    else {
      PathControl.complain("the history cannot be read: its program has not answered with totals")
      return .unreadable
    }
    return isRecording ? .totals(totals) : .stopped(totals)
  }
}

package import HistoryReport
package import PathHistory
internal import PathModel
internal import Programs
internal import SystemIO

/// The verb `report`, which `pathctl history` runs.
package enum ReportProgram {
  /// The program that the user has started.
  private static let program = Program("pathctl")

  /// Answers the question in the words, and returns the exit status.
  ///
  /// - Parameters:
  ///   - arguments: The words behind `pathctl history`.
  ///   - open: Opens the history in a file; `nil` is the usual file.
  package static func run(
    arguments: [String], open: (String?) throws(HistoryError) -> any HistoryReading
  ) -> Int32 {
    let query: HistoryQuery
    do throws(UsageError) {
      query = try HistoryQuery(arguments: arguments)
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
    if let problem = problem(ofFile: query.form) {
      program.complain(problem)
      return ExitStatus.usage
    }
    do throws(HistoryError) {
      return answer(query, from: try open(query.store))
    } catch {
      complain(ofHistory: error, query)
      return ExitStatus.unavailable
    }
  }

  private static func answer(_ query: HistoryQuery, from history: some HistoryReading) -> Int32 {
    let answer = ReportAnswer(
      query, now: HistoryInstant(microseconds: WallClock.microseconds()), LocalCalendar(ProcessTimeZone()),
      zone: SystemTimeZone.name ?? "local time", host: hostName, .forOutput())
    let isPaged = query.form == .picture && query.isPaged && Output.isTerminal(1)
    var page: [UInt8] = []
    do throws(ReportAnswer.Failure) {
      let isFound = try answer.write(from: history) { bytes throws(SystemError) in
        if file(of: query.form) == nil, !isPaged { try Output.write(bytes, to: 1) } else { page += bytes }
      }
      guard isFound else {
        program.complain(nothingRecorded(for: query))
        return ExitStatus.no
      }
      if let file = file(of: query.form) {
        do throws(SystemError) {
          try Files.replace(file, with: page)
        } catch {
          throw .output(error)
        }
      }
      if isPaged, !Pager.show(page) {
        do throws(SystemError) {
          try Output.write(page, to: 1)
        } catch {
          throw .output(error)
        }
      }
      return ExitStatus.success
    } catch {
      switch error {
      case .history(let error): complain(ofHistory: error, query)
      case .output(let error) where error.isBrokenPipe: return ExitStatus.success
      case .output(let error): program.complain("\(error.description). Choose another file, or - for standard output.")
      }
      return ExitStatus.unavailable
    }
  }

  /// The message for a time without records, with a command that shows more of the same history.
  package static func nothingRecorded(for query: HistoryQuery) -> String {
    let store = query.store.map { " --store \($0.shellWord)" } ?? ""
    return "nothing was recorded in this time. 'pathctl history\(store) --since 1y' shows more."
  }

  /// The file that the answer goes to; `nil` for standard output.
  private static func file(of form: HistoryQuery.Form) -> String? {
    switch form {
    case .html("-"), .svg("-"), .picture, .json, .csv: nil
    case .html(let file), .svg(let file): file
    }
  }

  /// The reason why the answer cannot go to its file.
  private static func problem(ofFile form: HistoryQuery.Form) -> String? {
    file(of: form).flatMap { OutputFile.problem(with: $0, alternative: "-") }
  }

  private static func complain(ofHistory error: HistoryError, _ query: HistoryQuery) {
    if error.code == .noHistory, query.store != nil { return program.complain("\(error.message). Is the name right?") }
    guard error.code == .noHistory else { return program.complain(error.description) }
    program.complain(
      """
      there is no history: nothing records the path. Enable the recorder with \
      'systemctl enable --now pathmonitor-history', and look again later.
      """)
  }

  private static var hostName: String {
    let bytes = (try? Files.read("/proc/sys/kernel/hostname")) ?? []
    let name = String(nameBytes: bytes.filter { $0 != UInt8(ascii: "\n") })
    return name.isEmpty ? "this machine" : name
  }
}

/// The time zone of the process as the rules of a calendar.
private struct ProcessTimeZone: TimeZoneRules {
  func offset(at second: Int64) -> TimeZoneOffset {
    let (seconds, abbreviation) = SystemTimeZone.offset(at: second)
    return TimeZoneOffset(seconds: seconds, abbreviation: abbreviation)
  }
}

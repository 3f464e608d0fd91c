internal import History
internal import HistoryReport
internal import PathModel
internal import Programs
internal import SystemIO

/// The verb `report`, which `pathctl history` runs.
enum ReportProgram {
  /// The program that the user has started.
  private static let program = Program("pathctl")

  /// Answers the question in the words behind `pathctl history`, and returns the exit status.
  static func run(arguments: [String]) -> Int32 {
    let query: HistoryQuery
    do throws(UsageError) {
      query = try HistoryQuery(arguments: arguments)
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
    if let problem = problem(ofFile: query) {
      program.complain(problem)
      return ExitStatus.usage
    }
    var answer = ReportAnswer(
      query, now: HistoryInstant(microseconds: WallClock.microseconds()), LocalCalendar(ProcessTimeZone()),
      zone: SystemTimeZone.name ?? "local time", host: hostName, .forOutput())
    if (query.store ?? StoredHistory.usualFile) == StoredHistory.usualFile {
      answer.unwritten = UnwrittenChanges.read()
    }
    let bytes: [UInt8]?
    do throws(HistoryError) {
      // The reading ends before the answer is shown: nobody waits for the reader of a pager.
      bytes = try answer.bytes(from: try StoredHistory(reading: query.store ?? StoredHistory.usualFile))
    } catch {
      complain(ofHistory: error, query)
      return ExitStatus.unavailable
    }
    // The other forms have a place for remarks.
    if bytes == nil || query.form == .csv, let words = HistoryReport.words(unwritten: answer.unwritten) {
      program.complain(words)
    }
    guard let bytes else {
      program.complain(query.nothingRecorded)
      return ExitStatus.no
    }
    return show(bytes, query)
  }

  private static func show(_ bytes: [UInt8], _ query: HistoryQuery) -> Int32 {
    guard let file = file(of: query.form) else {
      if query.form == .picture, query.isPaged, Output.isTerminal(1), Pager.show(bytes) { return ExitStatus.success }
      return program.say(bytes)
    }
    do throws(SystemError) {
      try Files.replace(file, with: bytes)
      return ExitStatus.success
    } catch {
      program.complain("\(error.description). Choose another file, or - for standard output.")
      return ExitStatus.unavailable
    }
  }

  /// The file that the answer goes to; `nil` for standard output.
  private static func file(of form: HistoryQuery.Form) -> String? {
    switch form {
    case .html("-"), .svg("-"), .picture, .json, .csv: nil
    case .html(let file), .svg(let file): file
    }
  }

  /// The reason why the answer cannot go to its file.
  private static func problem(ofFile query: HistoryQuery) -> String? {
    guard let file = file(of: query.form) else { return nil }
    if let identity = Files.Identity(file), identity == Files.Identity(query.store ?? StoredHistory.usualFile) {
      return "\(file) is the history itself. Choose another file."
    }
    return OutputFile.problem(with: file, alternative: "-")
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

package import HistoryReport
internal import JSON
package import PathHistory
internal import PathModel
package import Programs
package import SystemIO

/// The answer to a question about the history, from the reading to the last byte.
package struct ReportAnswer: Sendable {
  /// The question.
  package var query: HistoryQuery
  /// The moment of the question.
  package var now: HistoryInstant
  /// The calendar of the user.
  package var calendar: LocalCalendar
  /// The name of the time zone.
  package var zone: String
  /// The name of the machine.
  package var host: String
  /// The style of a picture.
  package var style: Style

  /// A question with its surroundings.
  package init(
    _ query: HistoryQuery, now: HistoryInstant, _ calendar: LocalCalendar, zone: String, host: String, _ style: Style
  ) {
    (self.query, self.now, self.calendar, self.zone) = (query, now, calendar, zone)
    (self.host, self.style) = (host, style)
  }

  /// The failures of an answer.
  package enum Failure: Error {
    /// The history cannot be read.
    case history(HistoryError)
    /// The answer cannot be written.
    case output(SystemError)
  }

  /// Writes the answer; returns `false` if nothing was recorded in the window.
  ///
  /// - Parameter write: Writes the next part of it.
  package func write(
    from history: some HistoryReading, _ write: ([UInt8]) throws(SystemError) -> Void
  ) throws(Failure) -> Bool {
    if query.form == .csv { return try writeRecords(from: history, write) }
    let report = try Self.reading { () throws(HistoryError) in
      try HistoryReport.read(query, from: history, now: now, calendar, needsRecords: query.form != .picture) { window in
        switch query.form {
        case .picture: ReportPicture.timeline(window, style, calendar)
        case .json: Timeline(window, row: .day, cells: 24, calendar)
        case .html, .svg, .csv: AvailabilityPlot.timeline(window, calendar)
        }
      }
    }
    guard let report else { return false }
    try Self.writing { () throws(SystemError) in try write(bytes(report)) }
    return true
  }

  private func bytes(_ report: HistoryReport) -> [UInt8] {
    switch query.form {
    case .picture, .csv:
      return Array(ReportPicture.lines(report, style, calendar).map { $0 + "\n" }.joined().utf8)
    case .json:
      var writer = JSONWriter()
      ReportJSON.write(report, calendar, zone: zone, to: &writer)
      writer.appendRaw(UInt8(ascii: "\n"))
      return writer.bytes
    case .html: return Array(ReportPage(report, calendar, zone: zone, host: host).html.utf8)
    case .svg: return Array((AvailabilityPlot.svg(report, isDocument: true) + "\n").utf8)
    }
  }

  /// Writes the records one after another: they may be more than fit the memory.
  private func writeRecords(
    from history: some HistoryReading, _ write: ([UInt8]) throws(SystemError) -> Void
  ) throws(Failure) -> Bool {
    let window = query.window(now: now, calendar)
    let requirement = query.judged
    var text = RecordsCSV.line(RecordsCSV.header)
    var failure: SystemError?
    var isEmpty = true
    try Self.reading { () throws(HistoryError) in
      try history.spans(in: window) { span in
        isEmpty = false
        if let requirement, let path = span.state.path, requirement.verdict(on: path.path) == .met { return true }
        if query.atLeast > .zero, span.duration < Int64(query.atLeast / .microseconds(1)) { return true }
        text += RecordsCSV.line(RecordsCSV.row(span, in: window, calendar))
        guard text.utf8.count > 65_536 else { return true }
        do throws(SystemError) {
          try write(Array(text.utf8))
        } catch {
          failure = error
        }
        text = ""
        return failure == nil
      }
    }
    try Self.writing { () throws(SystemError) in
      if let failure { throw failure }
      try write(Array(text.utf8))
    }
    return !isEmpty
  }

  private static func reading<Value>(_ body: () throws(HistoryError) -> Value) throws(Failure) -> Value {
    do throws(HistoryError) {
      return try body()
    } catch {
      throw .history(error)
    }
  }

  private static func writing(_ body: () throws(SystemError) -> Void) throws(Failure) {
    do throws(SystemError) {
      try body()
    } catch {
      throw .output(error)
    }
  }
}

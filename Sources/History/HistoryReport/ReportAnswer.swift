package import History
internal import PathModel
package import Programs

/// The answer to a question about the history. Pure.
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
  /// The number of changes that the recorder could not write yet.
  package var unwritten = 0

  /// A question with its surroundings.
  package init(
    _ query: HistoryQuery, now: HistoryInstant, _ calendar: LocalCalendar, zone: String, host: String, _ style: Style
  ) {
    (self.query, self.now, self.calendar, self.zone) = (query, now, calendar, zone)
    (self.host, self.style) = (host, style)
  }

  /// The bytes of the answer; `nil` if nothing was recorded in the window.
  package func bytes(from history: some HistoryReading) throws(HistoryError) -> [UInt8]? {
    if query.form == .csv { return try records(from: history) }
    var report = try HistoryReport.read(
      query, from: history, now: now, calendar, needsRecords: query.form != .picture
    ) { window in
      switch query.form {
      case .picture: ReportPicture.timeline(window, style, calendar)
      case .json: Timeline(window, row: .day, cells: 24, calendar)
      case .html, .svg, .csv: AvailabilityPlot.timeline(window, calendar)
      }
    }
    report?.unwritten = unwritten
    return report.map { bytes($0) }
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

  /// The records that the question is about: with a requirement, those that do not meet it; with a least length, only
  /// those outages.
  private func records(from history: some HistoryReading) throws(HistoryError) -> [UInt8]? {
    let window = query.window(now: now, calendar)
    let atLeast = Int64(query.atLeast / .microseconds(1))
    var bytes = Array(RecordsCSV.line(RecordsCSV.header).utf8)
    var isEmpty = true
    func add(_ span: HistorySpan) {
      bytes += RecordsCSV.line(RecordsCSV.row(span, in: window, calendar)).utf8
    }
    // The records of the present outage, and its length so far.
    var (outage, time): ([HistorySpan], Int64) = ([], 0)
    func finishOutage() {
      if time >= atLeast { outage.forEach(add) }
      (outage, time) = ([], 0)
    }
    try history.spans(in: window) { span in
      isEmpty = false
      if outage.last.map({ span.follows($0) }) == false { finishOutage() }
      switch query.judgement(of: span.state) {
      case .offline:
        outage.append(span)
        time += span.overlap(with: window)
      case .connected:
        finishOutage()
        if query.judged == nil { add(span) }
      case .suspended, .unknown:
        finishOutage()
        add(span)
      }
    }
    finishOutage()
    return isEmpty ? nil : bytes
  }
}

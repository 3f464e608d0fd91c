package import History
internal import PathModel

/// The records of a history as comma-separated values (RFC 4180), for spreadsheets and scripts.
package enum RecordsCSV {
  /// The names of the columns.
  package static let header = [
    "start_local", "start_utc", "end_local", "end_utc", "seconds", "state", "reason", "interface", "type", "gateway",
    "network", "expensive", "constrained", "changes", "changed", "boot_id", "sequence",
    "sentence",
  ]

  /// The row of a span, with its part in the window.
  package static func row(
    _ span: HistorySpan, in window: Range<HistoryInstant>, _ calendar: LocalCalendar
  ) -> [String] {
    let start = max(span.start, window.lowerBound)
    let end = max(start, min(span.end, window.upperBound))
    let path = span.state.path
    let utc = LocalCalendar(FixedOffset())
    return [
      calendar.localTime(of: start).precise, utc.localTime(of: start).precise, calendar.localTime(of: end).precise,
      utc.localTime(of: end).precise, LengthText.seconds(start.microseconds(to: end)), state(span.state),
      path?.reason?.rawValue ?? "", path?.interface?.name ?? "", path?.interfaceType?.rawValue ?? "",
      path?.gateway?.description ?? "", path?.networkName ?? "", path.map { String($0.isExpensive) } ?? "",
      path.map { String($0.isConstrained) } ?? "", String(span.changes), span.changed.joined(separator: " "),
      span.bootID, span.state.path == nil ? "" : String(span.sequence),
      path.flatMap { $0.isSatisfied ? nil : $0.path.knownDiagnosis?.sentence } ?? "",
    ]
  }

  private static func state(_ state: HistoryState) -> String {
    switch state {
    case .path(let path): path.isSatisfied ? "connected" : "offline"
    case .suspended: "suspended"
    case .unknown: "unknown"
    }
  }

  /// The fields as a line with its end.
  package static func line(_ fields: [String]) -> String {
    fields.map(\.commaSeparatedField).joined(separator: ",") + "\r\n"
  }
}

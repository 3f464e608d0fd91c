package import History
internal import PathModel
package import Programs

/// A report as text for people.
package enum ReportPicture {
  /// The width of a picture that no terminal limits, in columns.
  private static let usualWidth = 80

  /// The layout of the timeline that fits a window and the width of a terminal.
  package static func timeline(
    _ window: Range<HistoryInstant>, _ style: Style, _ calendar: LocalCalendar
  ) -> Timeline {
    let row: Timeline.Row =
      switch window.microseconds / HistoryInstant.hour {
      // A little more than a day, so that the day of the change to winter time is one.
      case ...26: .hour
      case ...(62 * 24): .day
      case ...(800 * 24): .week
      default: .month
      }
    let room = (style.width ?? usualWidth) - labelWidth(row, style) - 1 - figuresWidth
    let cells = possibleCells(row).first { $0 <= room } ?? possibleCells(row).last ?? 1
    return Timeline(window, row: row, cells: cells, calendar)
  }

  /// The width of the share behind the cells of a row, such as `99.965 %`.
  private static let shareWidth = 8
  /// The width of all figures of a row with a space before them, such as `99.965 %  9999× 23 h 59 min`.
  private static let figuresWidth = 1 + shareWidth + 2 + 17

  private static func possibleCells(_ row: Timeline.Row) -> [Int] {
    switch row {
    case .hour: [60, 30, 20]
    case .day: [96, 72, 48, 40, 24, 12]
    case .week: [84, 42, 28, 21, 14]
    case .month: [31]
    }
  }

  private static func labelWidth(_ row: Timeline.Row, _ style: Style) -> Int {
    switch row {
    case .hour: 5
    case .day: isWide(style) ? 10 : 6
    case .week: isWide(style) ? 11 : 6
    case .month: 8
    }
  }

  private static func isWide(_ style: Style) -> Bool { (style.width ?? usualWidth) >= 60 }

  /// The lines, without newlines.
  package static func lines(_ report: HistoryReport, _ style: Style, _ calendar: LocalCalendar) -> [String] {
    func folded(_ text: String, _ mark: (String) -> String) -> [String] {
      LineFolding.fold(text, to: style.width).map(mark)
    }
    var lines = folded(report.summary, report.totals.unsatisfied == 0 ? style.green : style.bold)
    let (start, end) = (
      calendar.localTime(of: report.window.lowerBound), calendar.localTime(of: report.window.upperBound)
    )
    lines += folded("  \(start.minute) to \(end.minute) \(end.offset.abbreviation)", style.dim)
    let remarks = report.remarks(calendar) + [report.gaps].compactMap(\.self) + report.connectedInVain
    lines += remarks.flatMap { folded("  \($0)", style.dim) }
    lines += [""] + timelineLines(report, style)
    lines += [""] + listLines(report, style, calendar)
    return lines
  }

  // MARK: Timeline

  private static func timelineLines(_ report: HistoryReport, _ style: Style) -> [String] {
    let timeline = report.timeline
    let labels = labelWidth(timeline.row, style)
    let width = style.width ?? usualWidth
    var lines = [
      style.dim(String(repeating: " ", count: labels + 1) + scale(timeline)).trimmedAtEnd
    ]
    var seen = Set<Cell>()
    for number in timeline.rows.indices {
      let cells = report.cells[number].map { Cell($0) }
      seen.formUnion(cells)
      let totals = report.rows[number]
      var right = LengthText.share(totals)
      right = String(repeating: " ", count: max(0, shareWidth - right.count)) + right
      if totals.outages > 0 {
        let detail = "  \(totals.outages)\(style.isUnicode ? "×" : "x") \(LengthText.text(totals.unsatisfied))"
        if labels + 1 + timeline.cells + 1 + right.count + detail.count <= width { right += detail }
      }
      let label = style.dim(label(timeline.rows[number], timeline.row, style))
      var line = "\(LineFolding.padded(label, to: labels)) \(text(cells, style))"
      if labels + 1 + timeline.cells + 1 + right.count <= width, totals.all > 0 { line += " \(right)" }
      lines.append(line.trimmedAtEnd)
    }
    return lines + legend(seen, style)
  }

  private static func label(_ start: LocalTime, _ row: Timeline.Row, _ style: Style) -> String {
    let date = start.date
    let day = CivilDate.twoDigits(date.day)
    switch row {
    case .hour: return start.hourAndMinute
    case .day: return isWide(style) ? "\(date.weekdayName) \(day) \(date.monthName)" : "\(date.weekdayName) \(day)"
    case .week: return isWide(style) ? "\(day) \(date.monthName) \(date.year)" : "\(day) \(date.monthName)"
    case .month: return "\(date.monthName) \(date.year)"
    }
  }

  /// The times of day, days or minutes above the cells.
  private static func scale(_ timeline: Timeline) -> String {
    let marks: [(place: Int, text: String)] =
      switch timeline.row {
      case .hour: [0, 15, 30, 45].map { ($0 * timeline.cells / 60, ":\(CivilDate.twoDigits($0))") }
      case .day: [0, 6, 12, 18].map { ($0 * timeline.cells / 24, CivilDate.twoDigits($0)) }
      case .week:
        (0..<7).map { ($0 * timeline.cells / 7, String(CivilDate.weekdays[$0].prefix(timeline.cells >= 28 ? 3 : 2))) }
      case .month: [1, 8, 15, 22, 29].map { ($0 - 1, String($0)) }
      }
    var text = ""
    for mark in marks { text += String(repeating: " ", count: max(0, mark.place - text.count)) + mark.text }
    return text
  }

  /// The state that a cell shows.
  private enum Cell: Hashable {
    case outside, connected, suspended, notWatched, unknown
    /// Offline for some of the time, from 0 for any of it to 6 for all of it.
    case offline(level: Int)

    init(_ totals: PathTotals) {
      let offline = totals.unsatisfied
      if offline > 0 {
        self = .offline(level: Int(offline * 6 / totals.watched))
      } else if totals.outages > 0 {
        self = .offline(level: 0)
      } else if totals.satisfied > 0 {
        self = .connected
      } else if totals.all == 0 {
        self = .outside
      } else {
        let longest = max(totals.suspended, totals.notWatched, totals.unknown)
        self = totals.suspended == longest ? .suspended : totals.notWatched == longest ? .notWatched : .unknown
      }
    }

    func character(_ style: Style) -> Character {
      switch self {
      case .outside: " "
      case .connected: style.isUnicode ? "▁" : "_"
      case .suspended: style.isUnicode ? "░" : "z"
      case .notWatched: style.isUnicode ? "·" : "."
      case .unknown: "?"
      case .offline(let level):
        style.isUnicode ? Array("▂▃▄▅▆▇█")[level] : level < 3 ? "!" : "#"
      }
    }

    /// Cells with the same mark are coloured together.
    var mark: Int {
      switch self {
      case .outside: 0
      case .connected: 1
      case .offline: 2
      case .suspended, .notWatched, .unknown: 3
      }
    }

    func marked(_ text: String, _ style: Style) -> String {
      switch mark {
      case 1: style.green(text)
      case 2: style.red(text)
      case 3: style.dim(text)
      default: text
      }
    }
  }

  private static func text(_ cells: [Cell], _ style: Style) -> String {
    var text = ""
    var rest = cells[...]
    while let first = rest.first {
      let run = rest.prefix { $0.mark == first.mark }
      text += first.marked(String(run.map { $0.character(style) }), style)
      rest = rest.dropFirst(run.count)
    }
    return text
  }

  /// The meaning of the marks that occur.
  private static func legend(_ seen: Set<Cell>, _ style: Style) -> [String] {
    var parts: [String] = []
    func add(_ cell: Cell, _ meaning: String) {
      parts.append("\(cell.marked(String(cell.character(style)), style)) \(style.dim(meaning))")
    }
    if seen.contains(.connected) { add(.connected, "connected") }
    if seen.contains(where: { $0.mark == 2 }) {
      let (some, all) = (Cell.offline(level: 0), Cell.offline(level: 6))
      let marks = "\(some.character(style)) \(style.isUnicode ? "… " : "")\(all.character(style))"
      parts.append("\(some.marked(marks, style)) \(style.dim("offline for a part … all of it"))")
    }
    if seen.contains(.suspended) { add(.suspended, "asleep") }
    if seen.contains(.notWatched) { add(.notWatched, "not watched") }
    if seen.contains(.unknown) { add(.unknown, "not known") }
    let line = "  " + parts.joined(separator: "  ")
    return LineFolding.columns(of: line) <= style.width ?? .max ? [line] : parts.map { "  \($0)" }
  }

  // MARK: List

  private static func listLines(_ report: HistoryReport, _ style: Style, _ calendar: LocalCalendar) -> [String] {
    if report.totals.outages == 0, report.outages.isEmpty { return ["  no outage in this time"] }
    // A local time that occurs twice needs the name of its offset.
    let namesOffset = calendar.parts(of: report.window).count > 1
    var table = Table(header: ["BEGAN", "LASTED", "WHY", "LOST", "BACK OVER"], indentation: "  ")
    let shown = report.outages.suffix(HistoryReport.listed)
    for outage in shown {
      let start = calendar.localTime(of: outage.start)
      table.add([
        start.second + (namesOffset ? " \(start.offset.abbreviation)" : ""), outage.lengthInWords,
        outage.mainPart.briefWords, outage.lost?.words ?? "", outage.backInWords,
      ])
    }
    let missing = report.totals.outages - Int64(shown.count)
    if missing <= 0 { return table.lines(style) }
    let kept = report.recordsFrom == nil ? "all" : "all that are left"
    let note = "and \(missing) before; --at-least 1min leaves out short ones, --json and --csv have \(kept)"
    return table.lines(style) + LineFolding.fold("  \(note)", to: style.width).map(style.dim)
  }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

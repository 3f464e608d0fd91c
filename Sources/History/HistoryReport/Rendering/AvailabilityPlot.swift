package import History
internal import PathModel

/// The plot of availability by day and time of day, as SVG.
///
/// A few days are rows, many days are columns. Each state is drawn where it was, and no line joins two of them. An
/// outage has a least size, so that the shortest one can be seen in the plot of a year.
package enum AvailabilityPlot {
  /// The layout of the timeline for a window.
  package static func timeline(_ window: Range<HistoryInstant>, _ calendar: LocalCalendar) -> Timeline {
    let days = window.microseconds / HistoryInstant.day + 1
    let cells = days <= 10 ? 1_440 : days <= 800 ? 288 : 96
    return Timeline(window, row: .day, cells: cells, calendar)
  }

  /// The greatest number of days that are rows.
  private static let mostRows = 45
  /// The length of the time axis or of the axis of days, in the units of the picture.
  private static let length = 900.0
  /// The least size of an outage, in the units of the picture.
  private static let leastMark = 2.0

  /// The picture as an element of its own.
  ///
  /// - Parameter isDocument: Whether the picture is a file, which needs its own style and namespace.
  package static func svg(_ report: HistoryReport, isDocument: Bool) -> String {
    let isByRows = report.timeline.rows.count <= mostRows
    let plot = isByRows ? rowPlot(report) : columnPlot(report)
    return element(
      plot.body, width: plot.width, height: plot.height, title: "Availability by day and time of day",
      description: report.summary, isDocument: isDocument)
  }

  /// The downtime by hour of the day, as bars.
  package static func hourPlot(_ report: HistoryReport) -> String {
    let hours = hours(of: report)
    let most = hours.map(\.unsatisfied).max() ?? 0
    let (left, top, height, step) = (70.0, 12.0, 110.0, length / 24)
    var body = axisText(LengthText.text(most), left - 6, top + 8, "end") + axisText("0", left - 6, top + height, "end")
    body += "<path class=\"pg\" d=\"M\(number(left)),\(number(top + height))h\(number(length))\"/>"
    var bars = Shape()
    for (hour, totals) in hours.enumerated() where totals.unsatisfied > 0 {
      let size = max(leastMark, Double(totals.unsatisfied) / Double(most) * height)
      bars.add(left + Double(hour) * step + 3, top + height - size, step - 6, size)
    }
    body += bars.element("po")
    for hour in stride(from: 0, through: 24, by: 3) {
      body += axisText(CivilDate.twoDigits(hour), left + Double(hour) * step, top + height + 16, "middle")
    }
    return element(
      body, width: left + length + 20, height: top + height + 24, title: "Downtime by hour of the day",
      description: "The sum of the downtime in each hour of the day", isDocument: false)
  }

  /// The totals of each hour of the day.
  private static func hours(of report: HistoryReport) -> [PathTotals] {
    var hours = Array(repeating: PathTotals(), count: 24)
    for row in report.cells {
      for (cell, totals) in row.enumerated() { hours[cell * 24 / report.timeline.cells].add(totals) }
    }
    return hours
  }

  // MARK: Layouts

  private static func rowPlot(_ report: HistoryReport) -> (body: String, width: Double, height: Double) {
    let rows = report.timeline.rows
    let pitch = rows.count <= 8 ? 30.0 : rows.count <= 16 ? 24.0 : 17.0
    let (left, top, thickness) = (96.0, 24.0, pitch * 0.78)
    var body = ""
    let marks = Marks(report) { row, from, to in
      (left + from * length, top + Double(row) * pitch, (to - from) * length, thickness)
    } widened: { place in
      let size = max(leastMark, place.width)
      return (min(max(left, place.x - (size - place.width) / 2), left + length - size), place.y, size, place.height)
    }
    body += marks.elements
    let bottom = top + Double(rows.count) * pitch
    for hour in stride(from: 0, through: 24, by: 3) {
      let x = left + Double(hour) / 24 * length
      if hour % 6 == 0 { body += "<path class=\"pg\" d=\"M\(number(x)),\(number(top - 4))V\(number(bottom))\"/>" }
      body += axisText(CivilDate.twoDigits(hour), x, top - 9, "middle")
    }
    for (row, start) in rows.enumerated() {
      let y = top + Double(row) * pitch + thickness / 2 + 4
      let date = start.date
      body += axisText("\(date.weekdayName) \(date.day) \(date.monthName)", left - 8, y, "end")
      let totals = report.rows[row]
      if totals.watched > 0 { body += axisText(LengthText.share(totals), left + length + 8, y, "start") }
    }
    let legend = legend(report, left, bottom + 18)
    return (body + legend, left + length + 84, bottom + 28)
  }

  private static func columnPlot(_ report: HistoryReport) -> (body: String, width: Double, height: Double) {
    let rows = report.timeline.rows
    let pitch = max(1, length / Double(rows.count))
    let (left, strip, height) = (70.0, 44.0, 288.0)
    let top = 10 + strip + 22
    let width = pitch * Double(rows.count)
    var body = ""
    let marks = Marks(report) { row, from, to in
      // Neighbours overlap a little, so that no seam shows between them.
      (left + Double(row) * pitch, top + from * height, pitch + 0.25, (to - from) * height + 0.1)
    } widened: { place in
      let size = max(leastMark, place.height)
      let y = min(max(top, place.y - (size - place.height) / 2), top + height - size)
      return (place.x, y, max(leastMark, place.width), size)
    }
    body += marks.elements
    for hour in stride(from: 0, through: 24, by: 6) {
      let y = top + Double(hour) / 24 * height
      body += "<path class=\"pg\" d=\"M\(number(left - 4)),\(number(y))h\(number(width + 4))\"/>"
      body += axisText("\(CivilDate.twoDigits(hour)):00", left - 8, y + 4, "end")
    }
    body += stripOfDays(report, left, 10, pitch, strip)
    body += monthNames(rows, left, top + height + 16, pitch)
    let bottom = top + height + 22
    return (body + legend(report, left, bottom + 18), left + width + 20, bottom + 28)
  }

  /// The downtime of each day, as bars.
  private static func stripOfDays(
    _ report: HistoryReport, _ left: Double, _ top: Double, _ pitch: Double, _ height: Double
  ) -> String {
    let most = report.rows.map(\.unsatisfied).max() ?? 0
    var body = axisText(LengthText.text(most), left - 8, top + 10, "end")
    body += axisText("a day", left - 8, top + 24, "end")
    body +=
      "<path class=\"pg\" d=\"M\(number(left)),\(number(top + height))h\(number(pitch * Double(report.rows.count)))\"/>"
    var bars = Shape()
    for (row, totals) in report.rows.enumerated() where totals.unsatisfied > 0 {
      let size = max(leastMark, Double(totals.unsatisfied) / Double(most) * height)
      bars.add(left + Double(row) * pitch, top + height - size, max(1, pitch * 0.86), size)
    }
    return body + bars.element("po")
  }

  private static func monthNames(_ rows: [LocalTime], _ left: Double, _ y: Double, _ pitch: Double) -> String {
    var body = ""
    var free = 0.0
    for (row, start) in rows.enumerated() where start.date.day == 1 || row == 0 {
      let x = left + Double(row) * pitch
      let date = start.date
      let text = date.month == 1 || row == 0 ? "\(date.monthName) \(date.year)" : date.monthName
      guard x >= free, row == 0 || start.date.day == 1 else { continue }
      if row > 0 { body += "<path class=\"pg\" d=\"M\(number(x)),\(number(y - 16))v5\"/>" }
      // The name of a month that the next one begins right behind is left out.
      if row == 0, date.day > 20 { continue }
      body += axisText(text, x, y, "start")
      free = x + Double(text.count) * 6.5 + 6
    }
    return body
  }

  // MARK: Parts

  private static let states: [(class: String, text: String, time: @Sendable (PathTotals) -> Int64)] = [
    ("pc", "connected", { $0.satisfied }), ("po", "offline", { $0.unsatisfied }), ("ps", "asleep", { $0.suspended }),
    ("pn", "not watched", { $0.notWatched }), ("pu", "not known", { $0.unknown }),
  ]

  private static func legend(_ report: HistoryReport, _ left: Double, _ y: Double) -> String {
    var body = ""
    var x = left
    for state in states where state.time(report.totals) > 0 {
      var shape = Shape()
      shape.add(x, y - 9, 12, 10)
      let text = state.class == "po" ? "offline (every mark has a least size)" : state.text
      body += shape.element(state.class) + axisText(text, x + 17, y, "start")
      x += 17 + Double(text.count) * 6.2 + 22
    }
    return body
  }

  private typealias Place = (x: Double, y: Double, width: Double, height: Double)

  /// The marks of all cells: those of equal state one after another are one mark.
  private struct Marks {
    private var shapes: [String: Shape] = [:]

    init(
      _ report: HistoryReport, place: (_ row: Int, _ from: Double, _ to: Double) -> Place, widened: (Place) -> Place
    ) {
      let width = 1 / Double(report.timeline.cells)
      for (row, cells) in report.cells.enumerated() {
        for (name, run) in Self.runs(cells.map(Self.background(of:))) {
          let spot = place(row, Double(run.lowerBound) * width, Double(run.upperBound) * width)
          shapes[name, default: Shape()].add(spot.x, spot.y, spot.width, spot.height)
        }
        for (name, run) in Self.runs(cells.map(Self.outage(of:))) {
          let spot = widened(place(row, Double(run.lowerBound) * width, Double(run.upperBound) * width))
          shapes[name, default: Shape()].add(spot.x, spot.y, spot.width, spot.height)
        }
      }
    }

    /// The state that takes most of a cell, without outages.
    private static func background(of totals: PathTotals) -> String? {
      if totals.watched > 0 { return "pc" }
      if totals.all == 0 { return nil }
      let longest = max(totals.suspended, totals.notWatched, totals.unknown)
      return totals.suspended == longest ? "ps" : totals.notWatched == longest ? "pn" : "pu"
    }

    /// The outage in a cell: `po` if it takes most of the cell, `pb` if it is brief.
    private static func outage(of totals: PathTotals) -> String? {
      if totals.unsatisfied == 0 { return totals.outages > 0 ? "pb" : nil }
      return totals.unsatisfied * 2 >= totals.all ? "po" : "pb"
    }

    private static func runs(_ names: [String?]) -> [(String, Range<Int>)] {
      var runs: [(String, Range<Int>)] = []
      var start = 0
      for end in 1...names.count where end == names.count || names[end] != names[start] {
        if let name = names[start] { runs.append((name, start..<end)) }
        start = end
      }
      return runs
    }

    var elements: String {
      ["pc", "ps", "pn", "pu", "pb", "po"].map { shapes[$0]?.element($0) ?? "" }.joined()
    }
  }

  /// Rectangles as one element, which is much shorter than an element for each.
  private struct Shape {
    private var path = ""

    mutating func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
      let (x, y, width, height) = (number(x), number(y), number(width), number(height))
      path += "M\(x),\(y)h\(width)v\(height)h-\(width)z"
    }

    func element(_ name: String) -> String { "<path class=\"\(name)\" d=\"\(path)\"/>" }
  }

  private static func axisText(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(text.inMarkup)</text>"
  }

  private static func element(
    _ body: String, width: Double, height: Double, title: String, description: String, isDocument: Bool
  ) -> String {
    let box = "viewBox=\"0 0 \(number(width)) \(number(height))\""
    let space = isDocument ? " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(width))\"" : ""
    let inner = isDocument ? "<style>\(style)</style><rect class=\"pp\" width=\"100%\" height=\"100%\"/>" : ""
    return "<svg\(space) \(box) role=\"img\" class=\"plot\"><title>\(title.inMarkup)</title>"
      + "<desc>\(description.inMarkup)</desc>\(inner)\(body)</svg>"
  }

  /// A number with two decimals at most, always with a point.
  private static func number(_ value: Double) -> String {
    let hundredths = Int64((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(CivilDate.twoDigits(rest))"
    return "\(hundredths < 0 ? "-" : "")\(whole)\(fraction)"
  }

  /// The colours, for light and dark. The states differ in lightness, too, for eyes and printers without colours.
  package static let style = """
    .plot text{font:11px system-ui,sans-serif;fill:#57606a}.pp{fill:#fff}.pc{fill:#b9dfc5}.po{fill:#b3171f}\
    .pb{fill:#e2543f}.ps{fill:#ccd6ec}.pn{fill:#ebecef}.pu{fill:#f1dfa3}.pg{fill:none;stroke:#8a939c;stroke-opacity:.45}\
    @media screen and (prefers-color-scheme:dark){.plot text{fill:#9aa4af}.pp{fill:#14171b}.pc{fill:#1f5138}\
    .po{fill:#ff5b52}.pb{fill:#ff8a5c}.ps{fill:#35425e}.pn{fill:#272c33}.pu{fill:#6b5a1e}}
    """
}

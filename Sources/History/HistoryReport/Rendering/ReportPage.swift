internal import History
internal import PathModel

/// A report as a page of its own, to keep, to print or to send: HTML without scripts and without other files.
package struct ReportPage {
  private let report: HistoryReport
  private let calendar: LocalCalendar
  /// The name of the time zone, such as `Europe/Berlin`.
  private let zone: String
  /// The name of the machine.
  private let host: String

  /// The largest number of outages in the list of all; a browser shows no longer table at once.
  private static let mostRows = 20_000
  /// The number of the longest outages.
  private static let longest = 10

  /// The page of a report.
  package init(_ report: HistoryReport, _ calendar: LocalCalendar, zone: String, host: String) {
    (self.report, self.calendar, self.zone, self.host) = (report, calendar, zone, host)
  }

  /// The page.
  package var html: String {
    let title = "Connection of \(host), \(day(report.window.lowerBound)) to \(day(report.window.upperBound))"
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="color-scheme" content="light dark"><title>\(title.inMarkup)</title>
      <style>\(Self.style)\(AvailabilityPlot.style)</style></head><body>
      <h1>Connection of \(host.inMarkup)</h1>
      <p class="when">\(minute(report.window.lowerBound)) to \(minute(report.window.upperBound)), \
      times in \(zone.inMarkup)</p>
      \(figures)\(remarks)
      <h2>Day by day</h2>
      <figure>\(AvailabilityPlot.svg(report, isDocument: false))</figure>
      \(hours)\(causes)\(months)\(longest)\(method)\(all)
      </body></html>

      """
  }

  // MARK: Parts

  private var figures: String {
    let totals = report.totals
    var cards = [
      (LengthText.share(totals), report.query.judged == nil ? "connected" : report.subject),
      ("\(totals.outages)", totals.outages == 1 ? "outage" : "outages"),
      (LengthText.text(totals.unsatisfied), "offline in all"),
    ]
    if totals.outages > 0 { cards.append((LengthText.text(report.longest), "longest outage")) }
    if let median = report.median { cards.append((LengthText.text(median), "median outage")) }
    cards.append((LengthText.text(totals.watched), "watched"))
    let items = cards.map { "<div><b>\($0.0.inMarkup)</b><span>\($0.1.inMarkup)</span></div>" }
    return "<div class=\"figures\">\(items.joined())</div>\n"
  }

  private var remarks: String {
    let remarks = report.remarks(calendar) + [report.gaps].compactMap(\.self)
    if remarks.isEmpty { return "" }
    return "<p class=\"when\">\(remarks.map { $0.capitalizedFirst.inMarkup }.joined(separator: ".<br>")).</p>"
  }

  private var hours: String {
    if report.totals.unsatisfied == 0 { return "" }
    return "<section><h2>By hour of the day</h2><figure>\(AvailabilityPlot.hourPlot(report))</figure></section>\n"
  }

  private var causes: String {
    let most = report.causes.map(\.duration).max() ?? 0
    if most == 0 { return "" }
    let rows = report.causes.map { cause in
      let share = max(1, cause.duration * 100 / most)
      let cells = [
        "<td>\(cause.cause.words.capitalizedFirst.inMarkup)</td>",
        "<td>\((cause.cause.place ?? "not known").inMarkup)</td>",
        "<td class=\"n\">\(cause.outages.map(String.init) ?? "")</td>",
        "<td class=\"n\">\(LengthText.text(cause.duration))</td>",
        "<td class=\"n\">\(cause.longest.map(LengthText.text) ?? "")</td>",
        "<td class=\"bar\"><i style=\"width:\(share)%\"></i></td>",
      ]
      return "<tr>\(cells.joined())</tr>"
    }
    return section("By cause", ["Cause", "Where", "#Outages", "#Downtime", "#Longest", ""], rows)
  }

  /// A table of the months, if there is more than one.
  private var months: String {
    var months: [(name: String, totals: PathTotals)] = []
    for (row, start) in report.timeline.rows.enumerated() {
      let name = "\(CivilDate.months[start.date.month - 1]) \(start.date.year)"
      if months.last?.name != name { months.append((name, PathTotals())) }
      months[months.count - 1].totals.add(report.rows[row])
    }
    if months.count < 2 { return "" }
    let rows = months.map { month in
      let totals = month.totals
      let cells = [
        LengthText.share(totals), "\(totals.outages)", LengthText.text(totals.unsatisfied),
        LengthText.text(totals.watched),
      ]
      return "<tr><td>\(month.name)</td>\(cells.map { "<td class=\"n\">\($0)</td>" }.joined())</tr>"
    }
    return section("By month", ["Month", "#Connected", "#Outages", "#Downtime", "#Watched"], rows)
  }

  private var longest: String {
    let outages = report.longestOutages(Self.longest)
    if outages.count < 2 { return "" }
    return section("The longest outages", Self.outageColumns, outages.map(row))
  }

  private var all: String {
    if report.outages.isEmpty { return "" }
    let shown = report.outages.suffix(Self.mostRows)
    var title = "Every outage"
    if shown.count < report.outages.count { title = "The latest \(shown.count) of \(report.outages.count) outages" }
    return section(title, Self.outageColumns, shown.map(row), identifier: "outages")
  }

  private static let outageColumns = [
    "Began (local time)", "Began (UTC)", "#Lasted", "#Seconds", "Cause", "Lost", "Back over",
  ]

  private func row(_ outage: Outage) -> String {
    let utc = LocalCalendar(FixedOffset()).localTime(of: outage.start)
    let start = calendar.localTime(of: outage.start)
    let limit = outage.beganBefore ? " (began before)" : outage.ending == .lasting ? " (so far)" : ""
    let cells = [
      "<td>\(start.second) \(start.offset.text)</td>", "<td>\(utc.second)</td>",
      "<td class=\"n\">\(LengthText.text(outage.duration))\(limit)</td>",
      "<td class=\"n\">\(LengthText.milliseconds(outage.duration))</td>",
      "<td>\(outage.causes.map(\.words).joined(separator: ", then ").inMarkup)</td>",
      "<td>\((outage.lost?.words ?? "").inMarkup)</td>", "<td>\(outage.backInWords.inMarkup)</td>",
    ]
    return "<tr>\(cells.joined())</tr>"
  }

  private var method: String {
    let version = PathMonitorVersion.current
    return """
      <section class="method"><h2>How this was measured</h2>
      <p>PathMonitor \(version.inMarkup) ran on \(host.inMarkup) and followed the network path that Linux gives to \
      programs: the route, its interface, the carrier of the link and the address. The kernel reports each change when \
      it happens. So an outage is not sampled: its start and its end are those of the change, to the millisecond. No \
      test traffic is sent.</p>
      <p>Lengths are measured by a clock that runs since the machine was started and that nobody sets. Times of day are \
      those of the machine's clock. While the machine is asleep or switched off, or the recorder does not run, nothing \
      counts as connected or as offline. If the recording ends without notice, as in a power cut, its last minute is not \
      counted.</p>
      <h2>What this shows, and what it cannot</h2>
      <p>Everything here is visible to the kernel of this machine: an outage behind a living router is not seen. If the \
      line between the router and the provider fails while the router stays on, this machine still has a route, and the \
      time counts as connected. Downtime whose cause is in this machine, or between it and the router, counts although \
      the provider is not responsible for it: the table of causes says where each cause was. A cable that is pulled \
      here looks like a router that is switched off. Only on a machine that is plugged into the provider's device \
      itself are the causes the provider's. Times in which an administrator has overridden the path are left out.</p>\
      </section>
      """
  }

  private func section(_ title: String, _ columns: [String], _ rows: [String], identifier: String? = nil) -> String {
    let head = columns.map { column in
      column.hasPrefix("#") ? "<th class=\"n\">\(column.dropFirst())</th>" : "<th>\(column)</th>"
    }
    let identity = identifier.map { " id=\"\($0)\"" } ?? ""
    return """
      <section\(identity)><h2>\(title)</h2><div class="wide"><table><thead><tr>\(head.joined())</tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div></section>

      """
  }

  private func day(_ instant: HistoryInstant) -> String { calendar.localTime(of: instant).date.description }

  private func minute(_ instant: HistoryInstant) -> String {
    let time = calendar.localTime(of: instant)
    return "\(time.minute) \(time.offset.abbreviation.inMarkup) (\(time.offset.text))"
  }

  private static let style = """
    :root{color-scheme:light dark}*{box-sizing:border-box}\
    body{font:15px/1.5 system-ui,sans-serif;color:#1c2127;background:#fff;max-width:1060px;margin:0 auto;padding:28px 24px 60px}\
    h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:17px;margin:34px 0 10px}p{margin:8px 0;max-width:76ch}\
    .when{color:#57606a;margin:0}.figures{display:flex;flex-wrap:wrap;gap:10px 34px;margin:22px 0 18px}\
    .figures b{display:block;font-size:23px;line-height:1.25;font-variant-numeric:tabular-nums}\
    .figures span{color:#57606a;font-size:13px}figure{margin:0;overflow-x:auto}\
    .plot{display:block;width:100%;min-width:640px;height:auto}.wide{overflow-x:auto}\
    table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}\
    th,td{text-align:left;padding:4px 14px 4px 0;border-bottom:1px solid #e3e6ea;vertical-align:top;white-space:nowrap}\
    th{color:#57606a;font-weight:600}.n{text-align:right}.bar{width:40%;vertical-align:middle}\
    .bar i{display:block;height:9px;min-width:2px;background:#b3171f}td:nth-child(5):not(.bar):not(.n){white-space:normal}th.n,td.n{padding-right:22px}\
    @media screen and (prefers-color-scheme:dark){body{color:#e3e7ec;background:#14171b}\
    .when,.figures span,th{color:#9aa4af}th,td{border-color:#2b3138}.bar i{background:#ff5b52}}\
    @media print{body{font-size:10pt;max-width:none;padding:0}table{font-size:8pt}.plot{min-width:0}\
    figure,.wide{overflow:visible}h2{margin:20px 0 8px}.figures{gap:8px 22px;margin:14px 0 12px}.figures b{font-size:16pt}\
    tr,figure,.figures,section{break-inside:avoid}#outages{break-inside:auto;break-before:page}h2{break-after:avoid}\
    thead{display:table-header-group}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}@page{margin:14mm}}
    """
}

extension String {
  /// The text with its first letter as a capital.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// An option of a question about the past. `pathctl history` shows them, and `pathmonitor-history report` reads them.
package enum HistoryOption: Hashable, Sendable {
  case since, until, interface, requirement, atLeast, json, csv, html, svg, store, noPager

  /// Examples of all forms of a moment, for completion.
  package static let moments = ["7d", "24h", "today", "yesterday", "monday", "2026-11", "2026-11-01", "14:30", "now"]

  /// The table of options.
  ///
  /// - Parameter apply: Takes an option with its value.
  package static func table<Target>(
    _ apply: @escaping @Sendable (inout Target, HistoryOption, OptionValue) throws(UsageError) -> Void
  ) -> [Option<Target>] {
    func option(
      _ kind: HistoryOption, _ name: String, _ placeholder: Placeholder? = nil, example: String = "", summary: String
    ) -> Option<Target> {
      var option = Option<Target>(name, summary: summary) { _ in }
      (option.placeholder, option.example) = (placeholder, example)
      option.apply = { (target, value) throws(UsageError) in try apply(&target, kind, value) }
      return option
    }
    let moment = Placeholder("WHEN", .words(moments))
    return [
      option(
        .since, "--since", moment, example: "yesterday",
        summary: "Where the report begins: 24h, yesterday, 2026-11-01; 7d by default"),
      option(
        .until, "--until", moment, example: "2026-11-07",
        summary: "Where it ends, the named day included; now by default"),
      option(
        .interface, "--interface", Placeholder("NAME", .interface), example: "wlan0",
        summary: "Report on the path through this interface, carrying the traffic or not"),
      option(
        .requirement, "--requirement", .requirement, example: "unmetered",
        summary: "Count the time as connected in which the path met this requirement"),
      option(
        .atLeast, "--at-least", .time, example: "5s", summary: "Leave out shorter outages: they count as connected"),
      option(.json, "--json", summary: "Print the report as one JSON object"),
      option(.csv, "--csv", summary: "Print the records as comma-separated values, for spreadsheets"),
      option(
        .html, "--html", .file, example: "outages.html",
        summary: "Write a page with plot and tables to the file; - is standard output"),
      option(.svg, "--svg", .file, example: "outages.svg", summary: "Write only the plot of that page to the file"),
      option(
        .store, "--store", .file, example: "/mnt/history.sqlite",
        summary: "Read this history, such as that of another machine"),
      option(.noPager, "--no-pager", summary: "Do not show the output in a pager"),
    ]
  }
}

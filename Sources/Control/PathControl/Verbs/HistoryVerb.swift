internal import HistoryReport
internal import PathModel
internal import Programs

extension Verb {
  /// Reports on the past.
  package static let history = Verb(
    name: "history", summary: "Show the outages of the past: when, how long and why", options: HistoryOrder.options,
    details: [
      .text(
        """
        Shows how much of the time the machine was connected, a timeline, and the latest outages. The recorder, \
        pathmonitor-history.service, writes down each change of the path; it is installed, but not enabled:
        """),
      .apart("systemctl enable --now pathmonitor-history"),
      .text("WHEN is one of the following, in local time:"),
      .item(term: "24h, 90min", text: "so long ago"),
      .item(term: "7d, 2w, 3mon, 1y", text: "at the same time of day so many days, weeks, months or years ago"),
      .item(term: "today, yesterday", text: "the day; also monday, for the latest one"),
      .item(term: "2026-11-01", text: "the day; also 2026-11 and 2026"),
      .item(term: "'yesterday 14:30'", text: "a time of day; without a day, today's; with Z or +01:00, that of UTC"),
      .text("--since begins with a day, month or year, --until includes it."),
      .text(
        """
        Suspend, time without the recorder and time without the service are neither uptime nor downtime. No packet is \
        sent: an outage behind a living router is not seen.
        """),
      .text(
        """
        --interface judges the path of sockets that are bound to the interface, so it also shows the outages of a line \
        while another one carries the traffic. With --requirement, the time is connected in which the path met it: \
        '--requirement cellular' says how long the machine used a mobile network.
        """),
    ],
    exits: [
      Exit(ExitStatus.yes, "it is shown"), Exit(ExitStatus.no, "nothing was recorded in this time"),
      Exit(ExitStatus.cannotKnow, "there is no history, or it cannot be read"),
    ],
    examples: [
      Example("A page for the provider", "pathctl history --since 30d --html outages.html"),
      Example("The outages of a line that has another one behind it", "pathctl history --interface eth0 --at-least 5s"),
    ]
  ) { arguments throws(UsageError) in HistoryOrder(words: try HistoryOrder.words(of: arguments)) }
}

/// Report on the past. The program beside this one reads the history, so that this one needs no database.
package struct HistoryOrder: VerbOrder {
  /// The question, in the words of the other program.
  package let words: [String]

  private static let since = moment(
    "--since", example: "yesterday",
    summary: "Where the report begins: 24h, yesterday, 2026-11-01; 7d by default")
  private static let until = moment(
    "--until", example: "2026-11-07", summary: "Where it ends, the named day included; now by default")
  private static let interface = OwnOption(
    "--interface", Placeholder("NAME", .interface), example: "wlan0",
    summary: "Report on the path through this interface, carrying the traffic or not"
  ) { _, text in text }
  private static let requirement = OwnOption(
    "--requirement", .requirement, example: "unmetered",
    summary: "Count the time as connected in which the path met this requirement"
  ) { (option, text) throws(UsageError) in
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(text)
    } catch {
      throw option.rejection(of: text, as: "requirement", because: error.description)
    }
  }
  private static let atLeast = OwnOption.time(
    "--at-least", example: "5s", summary: "Leave out shorter outages: they count as connected")
  private static let json = OwnOption(flag: "--json", summary: "Print the report as one JSON object")
  private static let records = OwnOption(
    flag: "--csv", summary: "Print the records as comma-separated values, for spreadsheets")
  private static let page = file(
    "--html", example: "outages.html",
    summary: "Write a page with plot and tables to the file; - is standard output")
  private static let plot = file(
    "--svg", example: "outages.svg", summary: "Write only the plot of that page to the file")
  private static let store = file(
    "--store", example: "/mnt/history.sqlite",
    summary: "Read this history, such as that of another machine")
  static let options = [
    since.option, until.option, interface.option, requirement.option, atLeast.option, json.option, records.option,
    page.option, plot.option, store.option, Option.noPager.option,
  ]

  /// An option whose value names a moment. The other program reads it again, so it stays as it was typed.
  private static func moment(_ name: String, example: String, summary: String) -> OwnOption<String> {
    OwnOption(name, Placeholder("WHEN", .words(TimeWord.examples)), example: example, summary: summary) {
      (option, text) throws(UsageError) in
      do throws(TimeWord.ParseError) {
        _ = try TimeWord(text)
        return text
      } catch {
        throw option.rejection(of: text, as: "time", because: error.description)
      }
    }
  }

  /// An option whose value names a file.
  private static func file(_ name: String, example: String, summary: String) -> OwnOption<String> {
    OwnOption(name, .file, example: example, summary: summary) { (option, text) throws(UsageError) in
      try option.path(from: text)
    }
  }

  /// The question in the arguments, in words.
  static func words(of arguments: VerbArguments) throws(UsageError) -> [String] {
    let forms: [(option: Option, form: HistoryQuery.Form?)] = [
      (json.option, arguments[json].map { _ in .json }), (records.option, arguments[records].map { _ in .csv }),
      (page.option, arguments[page].map { .html(file: $0) }), (plot.option, arguments[plot].map { .svg(file: $0) }),
    ]
    let given = forms.filter { $0.form != nil }
    if given.count > 1 {
      let names = given.map(\.option.name).joined(separator: " and ")
      throw UsageError("\(names) exclude each other. Leave one of them out.")
    }
    var query = HistoryQuery()
    query.interface = arguments[interface]
    query.requirement = arguments[requirement]
    query.atLeast = arguments[atLeast] ?? .zero
    query.form = given.first?.form ?? .picture
    query.store = arguments[store]
    query.isPaged = !arguments.has(Option.noPager.option)
    return query.words(since: arguments[since], until: arguments[until])
  }

  /// The order of `pathctl history`.
  package init(words: [String]) {
    self.words = words
  }

  /// Runs the program in place of this one.
  package func run(_ invocation: Invocation) -> Int32 { CompanionProgram.run(["report"] + words) }
}

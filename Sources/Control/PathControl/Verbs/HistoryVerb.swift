package import Programs

/// `pathctl history`: reports on the past. The program beside this one reads the words and the history, so that this
/// one needs no database.
package struct HistoryVerb: Verb {
  package static let name = "history"
  package static let summary = "Show the outages of the past: when, how long and why"
  package static var ownOptions: [Option<HistoryVerb>] { HistoryOption.table { _, _, _ in } }
  package static let details = """
    Shows how much of the time the machine was connected, a timeline, and the latest outages. The
    recorder, pathmonitor-history.service, writes down each change of the path; it is installed, but not
    enabled:
      systemctl enable --now pathmonitor-history
    WHEN is one of the following, in local time:
      24h, 90min         so long ago
      7d, 2w, 3mon, 1y   at the same time of day so many days, weeks, months or years ago
      today, yesterday   the day; also monday, for the latest one
      2026-11-01         the day; also 2026-11 and 2026
      'yesterday 14:30'  a time of day; without a day, today's; with Z or +01:00, that of UTC
    --since begins with a day, month or year, --until includes it.
    Suspend, time without the recorder and time without the service are neither uptime nor downtime. No
    packet is sent: an outage behind a living router is not seen.
    --interface judges the path of sockets that are bound to the interface, so it also shows the outages
    of a line while another one carries the traffic. With --requirement, the time is connected in which
    the path met it: '--requirement cellular' says how long the machine used a mobile network.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "it is shown"), (ExitStatus.no, "nothing was recorded in this time"),
    (ExitStatus.cannotKnow, "there is no history, or it cannot be read"),
  ]
  package static let examples = [
    (purpose: "A page for the provider", lines: "pathctl history --since 30d --html outages.html"),
    (
      purpose: "The outages of a line that has another one behind it",
      lines: "pathctl history --interface eth0 --at-least 5s"
    ),
  ]

  package var invocation = Invocation()

  package init() {}

  /// Runs the program in place of this one, with the words of the user.
  package func run() -> Int32 { CompanionProgram.history.run(["report"] + invocation.words) }
}

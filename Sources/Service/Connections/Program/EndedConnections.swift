internal import PathDecisions
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd

/// Writes down the connections that were ended: an entry of the journal, on request one for each, and the total for
/// `pathctl metrics`.
struct EndedConnections {
  /// The file of the total, in the folder that systemd has made for this program.
  private static let fileName = "totals.json"
  /// The number of the entries for single connections in the journal: `journalctl MESSAGE_ID=…`. It never changes.
  private static let messageNumber = "3f0d1c8a5b7e4e6c9a2d7b41c6e85f13"
  /// The number of the entries for all that were ended together.
  private static let summaryNumber = "8c1f6f0e3d5b4a7f9e2604b7d3a9c5e1"
  /// How long a journal is waited for whose queue is full.
  private static let patience = Duration.seconds(1)

  private let isDryRun: Bool
  /// Whether each connection has an entry of its own, with both addresses.
  private let namesAll: Bool
  private let file: String?
  private let report: (String) -> Void
  private var total = 0

  init(isDryRun: Bool, namesAll: Bool, report: @escaping (String) -> Void) {
    (self.isDryRun, self.namesAll, self.report) = (isDryRun, namesAll, report)
    file = Environment.value("RUNTIME_DIRECTORY").map { "\($0)/\(Self.fileName)" }
    writeTotal()
  }

  /// Writes down connections that were ended together.
  ///
  /// - Parameters:
  ///   - removals: The moments at which their addresses were found missing.
  ///   - interface: The interface that carries the traffic now.
  mutating func add(_ connections: [ConnectionFacts], _ removals: [IPAddress: MonotonicInstant], over interface: String)
  {
    if connections.isEmpty { return }
    if !isDryRun {
      total += connections.count
      writeTotal()
    }
    let now = MonotonicInstant.now
    let absences = Dictionary(
      connections.compactMap { facts in
        removals[facts.local.address].map { (facts.local.address, $0.duration(to: now)) }
      }
    ) { first, _ in first }
    let summary = EndingSummary(connections.map(\.local.address))
    let text = summary.text(isDryRun: isDryRun, absence: absences.values.max() ?? .zero, over: interface)
    let fields = ["CONNECTION_COUNT=\(connections.count)"] + summary.named.map { "ADDRESS=\($0)" }
    var entries = [(text, ["MESSAGE_ID=\(Self.summaryNumber)"] + fields)]
    if namesAll {
      entries += connections.map { entry(of: $0, absences[$0.local.address] ?? .zero, over: interface) }
    }
    send(entries, over: interface)
  }

  private func entry(of connection: ConnectionFacts, _ absence: Duration, over interface: String) -> (String, [String])
  {
    let text = """
      \(isDryRun ? "would end" : "ended") \(connection.local) -> \(connection.remote) of user \(connection.user): the \
      address was removed \(TimeSpan.text(absence)) ago, and the path leads over \(interface)
      """
    let fields = [
      "MESSAGE_ID=\(Self.messageNumber)", "CONNECTION_LOCAL=\(connection.local)",
      "CONNECTION_REMOTE=\(connection.remote)", "CONNECTION_STATE=\(connection.state.words)",
      "CONNECTION_USER=\(connection.user)", "ADDRESS=\(connection.local.address)",
    ]
    return (text, fields)
  }

  /// Sends entries, and waits for room in the queue of the journal.
  private func send(_ entries: [(text: String, fields: [String])], over interface: String) {
    guard Output.isJournal(2) else {
      for entry in entries { report(entry.text) }
      return
    }
    let end = MonotonicInstant.now.advanced(by: Self.patience)
    let common = [
      "PRIORITY=5", "SYSLOG_IDENTIFIER=pathmonitor-connections", "CONNECTION_ENDED=\(!isDryRun)",
      "CONNECTION_REASON=address-removed", "INTERFACE=\(interface.inOneLine)",
    ]
    let lost = entries.count { !Self.send(["MESSAGE=\($0.text.inOneLine)"] + $0.fields + common, until: end) }
    if lost > 0 { report("the journal has not taken \(lost) of \(entries.count) entries.") }
  }

  /// Sends an entry, and waits at most until the moment.
  private static func send(_ fields: [String], until end: MonotonicInstant) -> Bool {
    while !JournalSocket.send(fields) {
      if end < .now { return false }
      SystemThread.pause(for: .milliseconds(2))
    }
    return true
  }

  private func writeTotal() {
    guard let file else { return }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("ended")
    writer.integer(total)
    writer.endObject()
    do throws(SystemError) {
      try Files.replace(file, with: writer.bytes)
    } catch {
      report("\(error.description). The number of ended connections is missing in the metrics.")
    }
  }
}

internal import JSON
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
  /// - Parameter interface: The interface that carries the traffic now.
  mutating func add(_ endings: [EndedConnection], over interface: String) {
    if endings.isEmpty { return }
    if !isDryRun {
      total += endings.count
      writeTotal()
    }
    let summary = EndingSummary(endings)
    var entries = [entry(of: summary, over: interface)]
    if namesAll {
      // The processes of others show themselves to root alone.
      let owners = SocketOwners.owners(of: Set(endings.map(\.facts.inode)).subtracting([0]))
      entries += endings.map { entry(of: $0, owners[$0.facts.inode], over: interface) }
    }
    let end = MonotonicInstant.now.advanced(by: Self.patience)
    let isJournal = Output.isJournal(2)
    var lost = 0
    for entry in entries {
      if !isJournal {
        report(entry.text)
      } else if !Self.send(entry.fields, until: end) {
        lost += 1
      }
    }
    if lost > 0 { report("the journal has not taken \(lost) of \(entries.count) entries.") }
  }

  private typealias Entry = (text: String, fields: [String])

  private func entry(of summary: EndingSummary, over interface: String) -> Entry {
    let text = summary.text(isDryRun: isDryRun, over: interface)
    let number = "CONNECTION_COUNT=\(summary.count)"
    return (text, fields(text, Self.summaryNumber, interface) + [number] + summary.named.map { "ADDRESS=\($0)" })
  }

  private func entry(of ending: EndedConnection, _ owner: SocketOwners.Owner?, over interface: String) -> Entry {
    let connection = ending.facts
    let program = owner.map { "\($0.program) (\($0.process)), " } ?? ""
    let text = """
      \(isDryRun ? "would end" : "ended") \(connection.local) -> \(connection.remote) of \(program)\
      user \(connection.user): the address was removed \(TimeSpan.text(ending.absence)) ago, and the path leads over \
      \(interface)
      """
    let known = owner.map { ["CONNECTION_PROGRAM=\($0.program.inOneLine)", "CONNECTION_PROCESS=\($0.process)"] } ?? []
    let own = [
      "CONNECTION_LOCAL=\(connection.local)", "CONNECTION_REMOTE=\(connection.remote)",
      "CONNECTION_STATE=\(connection.state.words)", "CONNECTION_USER=\(connection.user)",
      "ADDRESS=\(connection.local.address)",
    ]
    return (text, known + fields(text, Self.messageNumber, interface) + own)
  }

  private func fields(_ text: String, _ number: String, _ interface: String) -> [String] {
    [
      "MESSAGE=\(text.inOneLine)", "MESSAGE_ID=\(number)", "PRIORITY=5",
      "SYSLOG_IDENTIFIER=pathmonitor-connections", "CONNECTION_ENDED=\(!isDryRun)",
      "CONNECTION_REASON=address-removed", "INTERFACE=\(interface.inOneLine)",
    ]
  }

  /// Sends an entry, and waits for room in the queue of the journal, at most until the moment.
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

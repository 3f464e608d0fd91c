internal import JSON
internal import PathDecisions
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd

/// Writes down each connection that was ended: a line of the journal, and the total for `pathctl metrics`.
struct EndedConnections {
  /// The file of the total, in the folder that systemd has made for this program.
  private static let fileName = "totals.json"
  /// The number of entries of this kind in the journal: `journalctl MESSAGE_ID=…`. It never changes.
  private static let messageNumber = "3f0d1c8a5b7e4e6c9a2d7b41c6e85f13"
  /// How long a journal is waited for whose queue is full.
  private static let patience = Duration.seconds(1)

  private let isDryRun: Bool
  private let file: String?
  private let report: (String) -> Void
  private var total = 0

  init(isDryRun: Bool, report: @escaping (String) -> Void) {
    (self.isDryRun, self.report) = (isDryRun, report)
    file = Environment.value("RUNTIME_DIRECTORY").map { "\($0)/\(Self.fileName)" }
    writeTotal()
  }

  /// A connection that was ended, or would be.
  struct Ending {
    let connection: ConnectionFacts
    /// How long its address has been away.
    let absence: Duration
    /// The interface that carries the traffic now.
    let interface: String
  }

  /// Writes down connections.
  mutating func add(_ endings: [Ending]) {
    if endings.isEmpty { return }
    if !isDryRun {
      total += endings.count
      writeTotal()
    }
    // The processes of others show themselves to root alone.
    let owners = SocketOwners.owners(of: Set(endings.map(\.connection.inode)).subtracting([0]))
    let end = MonotonicInstant.now.advanced(by: Self.patience)
    let isJournal = Output.isJournal(2)
    var lost = 0
    for ending in endings {
      let owner = owners[ending.connection.inode]
      let text = text(of: ending, owner)
      if !isJournal {
        report(text)
      } else if !Self.send(fields(of: ending, owner, text), until: end) {
        lost += 1
      }
    }
    if lost > 0 { report("the journal has not taken \(lost) of \(endings.count) entries.") }
  }

  private func text(of ending: Ending, _ owner: SocketOwners.Owner?) -> String {
    let connection = ending.connection
    let program = owner.map { "\($0.program) (\($0.process)), " } ?? ""
    return """
      \(isDryRun ? "would end" : "ended") \(connection.local) -> \(connection.remote) of \(program)\
      user \(connection.user): the address was removed \(TimeSpan.text(ending.absence)) ago, and the path leads over \
      \(ending.interface)
      """
  }

  private func fields(of ending: Ending, _ owner: SocketOwners.Owner?, _ text: String) -> [String] {
    let connection = ending.connection
    let known = owner.map { ["CONNECTION_PROGRAM=\($0.program.inOneLine)", "CONNECTION_PROCESS=\($0.process)"] } ?? []
    return known + [
      "MESSAGE=\(text.inOneLine)", "MESSAGE_ID=\(Self.messageNumber)", "PRIORITY=5",
      "SYSLOG_IDENTIFIER=pathmonitor-connections", "CONNECTION_LOCAL=\(connection.local)",
      "CONNECTION_REMOTE=\(connection.remote)", "CONNECTION_STATE=\(connection.state.words)",
      "CONNECTION_USER=\(connection.user)", "CONNECTION_ENDED=\(!isDryRun)", "CONNECTION_REASON=address-removed",
      "ADDRESS=\(connection.local.address)", "INTERFACE=\(ending.interface.inOneLine)",
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

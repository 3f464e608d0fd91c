internal import PathModel
internal import SystemIO
internal import Systemd

/// The daemon's messages: structured entries if its standard error is the journal, else lines.
final class Journal {
  /// The kinds of entries, for `journalctl MESSAGE_ID=…`. The numbers never change.
  enum Message: String {
    /// The path has changed.
    case pathChanged = "7c1a4b6de0f94b0f8a3f6c1d2e5b9a47"
  }

  /// The importance of an entry, with the numbers of syslog(3).
  enum Priority: Int {
    case warning = 4
    case notice = 5
    case information = 6
  }

  /// Whether standard error is the journal. Else somebody has asked for each change.
  let isJournal: Bool
  private let isVerbose: Bool
  /// The number of entries since the last one that the journal has not taken.
  private var lostEntries = 0

  /// A journal; with `isVerbose`, changes are written without a journal, too.
  init(isVerbose: Bool) {
    isJournal = Output.isJournal(2)
    self.isVerbose = isVerbose
  }

  /// Whether changes of the path are written.
  var takesChanges: Bool { isJournal || isVerbose }

  /// Writes an entry about a changed path, with the cause of its state or the doubt about it.
  ///
  /// - Parameter sum: The changes that the entry stands for; `nil` for this one alone.
  func write(_ path: NetworkPath, _ sum: ChangeLimit.Sum? = nil) {
    let path = path.escaped
    let cause = path.knownDiagnosis
    let text = path.description
    guard isJournal else {
      if isVerbose { complain(text) }
      return
    }
    send(
      text + (sum.map { "; \(Self.words($0))" } ?? ""), .notice, .pathChanged,
      (sum.map { ["PATH_CHANGES=\($0.changes)"] } ?? []) + [
        "PATH_STATUS=\(path.status.rawValue)", "PATH_KNOWLEDGE=\(path.knowledge.rawValue)",
        "INTERFACE=\(path.interfaces.first?.name ?? "")", "INTERFACE_TYPE=\(path.interfaceType?.rawValue ?? "")",
        "REASON=\(path.unsatisfiedReason?.rawValue ?? "")",
        "DIAGNOSIS=\(cause?.code.rawValue.inOneLine ?? "")", "DIAGNOSIS_SUBJECT=\(cause?.subject?.inOneLine ?? "")",
        "PATH_EXPENSIVE=\(path.isExpenseUndetermined ? "unknown" : "\(path.isExpensive)")",
        "PATH_CONSTRAINED=\(path.isConstrained)", "PATH_CHANGED=\(path.changed.joined(separator: " "))",
      ])
  }

  private static func words(_ sum: ChangeLimit.Sum) -> String {
    let share = Int((sum.satisfied / max(sum.time, .nanoseconds(1)) * 100).rounded())
    let count = "\(sum.changes) \(sum.changes == 1 ? "change" : "changes")"
    return "\(count) in the last \(TimeSpan.text(sum.time)), connected \(share) % of it"
  }

  /// Writes a warning.
  func warn(_ text: String) {
    if isJournal { send(text, .warning, nil, []) } else { complain(text) }
  }

  /// Writes a detail for debugging, if the journal is verbose.
  func note(_ text: String) {
    guard isVerbose else { return }
    if isJournal { send(text, .information, nil, []) } else { complain(text) }
  }

  private func complain(_ text: String) {
    // Everybody whom the service answers would wait for a reader that has stopped.
    Output.tell(Array("pathmonitord: \(text.inOneLine)\n".utf8), to: 2, patience: 0)
  }

  private func send(_ text: String, _ priority: Priority, _ message: Message?, _ fields: [String]) {
    var fields =
      fields + ["MESSAGE=\(text.inOneLine)", "PRIORITY=\(priority.rawValue)", "SYSLOG_IDENTIFIER=pathmonitord"]
    if let message { fields.append("MESSAGE_ID=\(message.rawValue)") }
    guard JournalSocket.send(fields) else {
      lostEntries += 1
      return
    }
    if lostEntries == 0 { return }
    let count = lostEntries
    lostEntries = 0
    warn("the journal has not taken \(count) \(count == 1 ? "entry" : "entries") before")
  }
}

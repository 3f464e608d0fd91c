/// The file of a recorder, which goes on without it: while it cannot be opened or written, changes stay in memory.
///
/// Each fault is reported once, and its end, too.
struct HistoryFile {
  private let path: String
  private let limits: HistoryLimits
  private let report: @Sendable (String) -> Void
  private var writer: HistoryWriter?
  /// The last fault that was reported.
  private var fault: String?
  /// The number of attempts in a row that readers have kept from their end.
  private var lockedAttempts = 0
  /// So many of them are enough: they take two minutes while the recorder runs, and less than a second at its end.
  private static let mostLockedAttempts = 8
  /// The difference between the numbers in the file and those of the timeline; `nil` before the first writing.
  private var shift: Int64?

  init(_ path: String, limits: HistoryLimits, report: @escaping @Sendable (String) -> Void) {
    (self.path, self.limits, self.report) = (path, limits, report)
  }

  /// Opens the file for the first time.
  ///
  /// - Returns: The last span in it; `nil` when there is none, or when the file cannot be used yet.
  mutating func open(now: HistoryInstant) -> HistorySpan? {
    use(now, lost: 0) { (_: inout HistoryFile) throws(HistoryError) in } ? writer?.last : nil
  }

  /// Writes spans that have ended, and the present one. Returns whether it has succeeded.
  ///
  /// - Parameter lost: The number of changes before them that are missing.
  mutating func write(_ closed: [HistorySpan], present: HistorySpan?, lost: Int, now: HistoryInstant) -> Bool {
    use(now, lost: lost) { (file: inout HistoryFile) throws(HistoryError) in
      guard let writer = file.writer else { return }
      if let first = closed.first ?? present, file.shift == nil {
        // A file that was opened is another one than before: nothing of it is replaced.
        file.shift = (writer.last?.number ?? 0) + 1 - first.number
      }
      try writer.write(
        closed.map { file.placed($0) }.filter { $0.duration > 0 }, present: present.map { file.placed($0) })
    }
  }

  /// Marks the present span, which has been written. Returns whether it has succeeded.
  mutating func mark(_ present: HistorySpan) -> Bool {
    guard writer?.isCurrent == true else { return write([], present: present, lost: 0, now: present.end) }
    return use(present.end, lost: 0) { (file: inout HistoryFile) throws(HistoryError) in
      try file.writer?.mark(file.placed(present))
    }
  }

  /// The span with its number in the file, and without the time that the file has already: it may have been copied
  /// away and put back.
  private func placed(_ span: HistorySpan) -> HistorySpan {
    var span = span
    span.number += shift ?? 0
    guard let last = writer?.last, last.bootID == span.bootID else { return span }
    let known = min(max(0, last.endBoottime - span.boottime), span.duration)
    span.start = span.start.advanced(by: known)
    (span.boottime, span.duration) = (span.boottime + known, span.duration - known)
    return span
  }

  private mutating func use(
    _ now: HistoryInstant, lost: Int, _ body: (inout HistoryFile) throws(HistoryError) -> Void
  ) -> Bool {
    do throws(HistoryError) {
      try attempt(body)
    } catch  where error.code == .damaged {
      writer = nil
      do throws(HistoryError) {
        let name = try HistoryWriter.setAside(path, at: now)
        report("\(error.message). It is kept as \(name), and a new history begins.")
        try attempt(body)
      } catch {
        return fail(error)
      }
    } catch  where error.code == .busy {
      lockedAttempts += 1
      guard lockedAttempts >= Self.mostLockedAttempts else { return fail(error) }
      // Any user may read the history, and so lock it.
      lockedAttempts = 0
      do throws(HistoryError) {
        writer = nil
        try HistoryWriter.replace(path)
        try attempt(body)
      } catch {
        return fail(error)
      }
    } catch {
      return fail(error)
    }
    lockedAttempts = 0
    if fault == nil, lost > 0 {
      report("changes came faster than they could be received. Changes that are missing in \(path): \(lost).")
    } else if fault != nil {
      report("\(path) is written again. \(lost == 0 ? "Nothing is" : "\(lost) changes are") missing in it.")
    }
    fault = nil
    return true
  }

  private mutating func attempt(_ body: (inout HistoryFile) throws(HistoryError) -> Void) throws(HistoryError) {
    if writer?.isCurrent != true {
      (writer, shift) = (nil, nil)
      writer = try HistoryWriter(path, limits: limits)
    }
    try body(&self)
  }

  private mutating func fail(_ error: HistoryError) -> Bool {
    if fault != error.message {
      let advice = error.advice.map { " \($0)" } ?? ""
      report("\(error.message). Changes are kept in memory until it can be written.\(advice)")
    }
    fault = error.message
    return false
  }
}

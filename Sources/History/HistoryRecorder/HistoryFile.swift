internal import HistoryStore
internal import PathHistory

/// The file of a recorder, which goes on without it: while it cannot be opened or written, changes stay in memory.
///
/// Each fault is reported once, and its end, too.
struct HistoryFile {
  private let path: String
  private let limits: HistoryLimits
  private let report: (String) -> Void
  private var writer: HistoryWriter?
  /// The last fault that was reported.
  private var fault: String?
  /// The difference between the numbers in the file and those of the timeline.
  private var shift: Int64 = 0
  /// Whether a timeline has begun that does not continue the file.
  private var isDetached = false
  /// Whether the time between the file and the timeline is still to be written.
  private var needsGap = false

  init(_ path: String, limits: HistoryLimits, report: @escaping (String) -> Void) {
    (self.path, self.limits, self.report) = (path, limits, report)
  }

  /// Opens the file for the first time.
  ///
  /// - Returns: The last span in it; `nil` when there is none, or when the file cannot be used yet.
  mutating func open(now: HistoryInstant) -> HistorySpan? {
    let isOpen = use(now) { writer, _ throws(HistoryError) in }
    isDetached = !isOpen
    return isOpen ? writer?.last : nil
  }

  /// Writes spans that have ended, and the present one. Returns whether it has succeeded.
  mutating func write(_ closed: [HistorySpan], present: HistorySpan) -> Bool {
    let spans = HistoryFolding.folded(closed)
    let needsGap = needsGap || isDetached
    let isWritten = use(present.end) { writer, shift throws(HistoryError) in
      var shifted = spans.map { $0.shifted(by: shift) }
      let first = shifted.first ?? present.shifted(by: shift)
      if needsGap, let last = writer.last {
        // The time for which nobody knew the file.
        shifted.insert(
          HistorySpan(
            number: last.number + 1, state: .notWatched, start: last.end,
            duration: max(0, last.end.microseconds(to: first.start)), boottime: nil, bootID: first.bootID), at: 0)
      }
      try writer.write(shifted, present: present.shifted(by: shift))
    }
    self.needsGap = needsGap && !isWritten
    return isWritten
  }

  /// Marks the present span, which has been written. Returns whether it has succeeded.
  mutating func mark(_ present: HistorySpan) -> Bool {
    use(present.end) { writer, shift throws(HistoryError) in try writer.mark(present.shifted(by: shift)) }
  }

  private mutating func use(
    _ now: HistoryInstant, _ body: (HistoryWriter, _ shift: Int64) throws(HistoryError) -> Void
  ) -> Bool {
    do throws(HistoryError) {
      try attempt(body)
    } catch  where error.code == .damaged {
      writer = nil
      do throws(HistoryError) {
        let name = try HistoryWriter.setAside(path, at: now)
        report("\(error.message). It is kept as \(name), and a new history begins.")
        (shift, isDetached) = (0, false)
        try attempt(body)
      } catch {
        return fail(error)
      }
    } catch {
      return fail(error)
    }
    if fault != nil { report("\(path) is written again. Nothing is missing in it.") }
    fault = nil
    return true
  }

  private mutating func attempt(
    _ body: (HistoryWriter, _ shift: Int64) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    if writer?.isCurrent == false { writer = nil }
    let writer: HistoryWriter
    if let present = self.writer {
      writer = present
    } else {
      writer = try HistoryWriter(path, limits: limits)
      self.writer = writer
    }
    if isDetached {
      // The timeline began at 1 without the file. There is a number between both, for the time between.
      shift = writer.last.map { $0.number + 1 } ?? 0
      isDetached = false
    }
    try body(writer, shift)
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

extension HistorySpan {
  fileprivate func shifted(by shift: Int64) -> HistorySpan {
    var span = self
    span.number += shift
    return span
  }
}

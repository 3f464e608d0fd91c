package import PathModel

/// A history that can be read: the store, or spans in memory. It does not change while it is read.
///
/// The last span may be the present one. It ends at the latest moment at which its state is known: at most a minute ago
/// while the recorder runs.
package protocol HistoryReading {
  /// The reach of the history; `nil` when nothing has been recorded.
  func extent() throws(HistoryError) -> HistoryExtent?

  /// Calls a body with each span that touches the window, whole and in order.
  func spans(in window: Range<HistoryInstant>, _ body: (HistorySpan) -> Void) throws(HistoryError)

  /// The totals of each window, in the order of the windows. They are exact where there are still spans, and for whole
  /// hours of UTC.
  ///
  /// Where the spans of an hour were removed, a window that covers a part of it gets that part of its totals. The same
  /// holds for a day whose hours were removed. The counts of such an hour or day belong to the window
  /// in which it begins. The rest of a window was not watched.
  func totals(of windows: [Range<HistoryInstant>]) throws(HistoryError) -> [PathTotals]

  /// The totals of everything that was ever recorded. None of them ever decreases.
  func lifetimeTotals() throws(HistoryError) -> PathTotals
}

/// The reach of a history.
package struct HistoryExtent: Hashable, Sendable {
  /// The moment from which on every span is still there.
  package var firstSpan: HistoryInstant
  /// The start of the first totals; no later than ``firstSpan``.
  package var firstTotals: HistoryInstant
  /// The latest moment at which the state is known.
  package var latest: HistoryInstant
  /// Whether the last span goes on, as far as is known: a recorder runs, or was ended without notice.
  package var isOpen: Bool
  /// The number of spans.
  package var spans: Int
  /// The size of the file in bytes; `nil` for a history in memory.
  package var bytes: Int64?
}

/// The reason why a history cannot be read or written.
package struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  package enum Code: Hashable, Sendable {
    /// There is no file: no recorder has run.
    case noHistory
    /// The file may not be read or written.
    case permissionDenied
    /// The file is damaged, or is not a history.
    case damaged
    /// The file was written by a later version.
    case laterVersion
    /// The disk is full, or the folder cannot be written to.
    case cannotWrite
    /// Another process uses the file, and did not release it in time.
    case busy
    /// Any other failure.
    case other
  }

  /// The kind of the failure.
  package var code: Code
  /// The attempt and its result, without a full stop.
  package var message: String
  /// The next step of the reader, as a sentence; `nil` when there is none.
  package var advice: String?

  /// An error.
  package init(_ code: Code, message: String, advice: String? = nil) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// The message, and the advice if there is any.
  package var description: String { advice.map { "\(message). \($0)" } ?? message }
}

package import History
package import PathModel

/// The answer to a question about the history.
package struct HistoryReport: Sendable {
  /// The question.
  package var query: HistoryQuery
  /// The moment of the question.
  package var now: HistoryInstant
  /// The window, cut at the reach of the history.
  package var window: Range<HistoryInstant>
  /// The window that was asked for.
  package var askedWindow: Range<HistoryInstant>
  /// The layout of the timeline.
  package var timeline: Timeline
  /// The totals of the cells, by row. Of a path that was not as required, they have the downtime and the cause.
  package var cells: [[PathTotals]]
  /// The time of each slot of the timeline of which something is known.
  private var covered: [Int64]
  /// The totals of the rows.
  package var rows: [PathTotals]
  /// The totals of the window.
  package var totals = PathTotals()
  /// The longest outage in microseconds; 0 without one.
  package var longest: Int64 = 0
  /// The median length of an outage in microseconds; `nil` without outages, and where not every length is known.
  package var median: Int64?
  /// The causes with their outages and their downtime, most downtime first.
  package var causes: [CauseSums] = []
  /// The time of a path as required over which the Internet did not answer, by verdict; `nil` where only sums are left.
  /// It is no outage: the kernel had a route.
  package var unvalidated: [PathValidation.State: Int64]? = [:]
  /// The outages, oldest first; the newest of them where there are too many.
  package var outages: [Outage] = []
  /// Where the records begin; before, only sums are left. `nil` when the window has nothing but records.
  package var recordsFrom: HistoryInstant?
  /// The number of changes that the recorder could not write yet: they are not in the report.
  package var unwritten = 0

  /// The downtime with one cause.
  package struct CauseSums: Hashable, Sendable {
    /// The cause.
    package var cause: OutageCause
    /// The number of outages whose main cause it was; `nil` when only sums are left.
    package var outages: Int64?
    /// The downtime in microseconds.
    package var duration: Int64
    /// The longest outage with it as the main cause, in microseconds; `nil` when only sums are left.
    package var longest: Int64?
  }

  /// A report without content.
  package init(
    _ query: HistoryQuery, now: HistoryInstant, window: Range<HistoryInstant>, askedWindow: Range<HistoryInstant>,
    timeline: Timeline
  ) {
    (self.query, self.now, self.window, self.askedWindow) = (query, now, window, askedWindow)
    self.timeline = timeline
    cells = Array(repeating: Array(repeating: PathTotals(), count: timeline.cells), count: timeline.rows.count)
    rows = Array(repeating: PathTotals(), count: timeline.rows.count)
    covered = Array(repeating: 0, count: timeline.slots.count)
  }

  /// The longest outages, longest first.
  package func longestOutages(_ count: Int) -> [Outage] {
    Array(outages.sorted { ($0.duration, $1.start) > ($1.duration, $0.start) }.prefix(count))
  }

  /// Adds totals to the slot of the timeline.
  mutating func add(_ totals: PathTotals, toSlot number: Int) {
    let slot = timeline.slots[number]
    cells[slot.row][slot.cell].add(totals)
    rows[slot.row].add(totals)
    self.totals.add(totals)
    covered[number] += totals.all
  }

  /// Adds a time of one judgement to all slots that it touches.
  mutating func add(
    _ judgement: Judgement, _ cause: OutageCause?, from start: HistoryInstant, to end: HistoryInstant
  ) {
    let (start, end) = (max(start, window.lowerBound), min(end, window.upperBound))
    guard start < end, var number = timeline.slot(at: start) else { return }
    var position = start
    while position < end {
      let next = min(end, timeline.end(of: number))
      var totals = PathTotals()
      totals.add(position.microseconds(to: next), judgement, cause)
      add(totals, toSlot: number)
      (position, number) = (next, number + 1)
    }
  }

  /// Counts an outage in the slot of the moment, or in the first one.
  mutating func countOutage(at instant: HistoryInstant) {
    guard let number = timeline.slot(at: max(instant, window.lowerBound)) else { return }
    var totals = PathTotals()
    totals.outages = 1
    add(totals, toSlot: number)
  }

  /// Adds what nothing is known of, from a moment on: it was not watched.
  mutating func addRest(from start: HistoryInstant) {
    for (number, slot) in timeline.windows.enumerated() where slot.upperBound > start {
      var totals = PathTotals()
      totals.notWatched = max(0, slot.clamped(to: start..<window.upperBound).microseconds - covered[number])
      if totals.notWatched > 0 { add(totals, toSlot: number) }
    }
  }
}

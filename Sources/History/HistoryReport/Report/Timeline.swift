package import History

/// The layout of a window as rows of equal cells, such as a row for each day with a cell for each hour.
///
/// The place of a moment follows from the local clock: a cell means the same time of day in every row. So the cells of
/// an hour that the clocks skip stay empty, and those of an hour that they repeat get both passes.
package struct Timeline: Hashable, Sendable {
  /// The time that a row stands for.
  package enum Row: Hashable, Sendable {
    case hour, day, week, month

    /// The seconds of a row by the local clock, at most.
    package var seconds: Int {
      switch self {
      case .hour: 3_600
      case .day: 86_400
      case .week: 7 * 86_400
      case .month: 31 * 86_400
      }
    }
  }

  /// A part of the window without a change of offset that belongs to one cell.
  package struct Slot: Hashable, Sendable {
    /// When it begins. It ends where the next one begins.
    package var start: HistoryInstant
    /// The number of its row.
    package var row: Int
    /// The number of its cell in the row.
    package var cell: Int
  }

  /// The time that a row stands for.
  package let row: Row
  /// The number of cells in a row.
  package let cells: Int
  /// The local time at which each row begins: that of the hour, or midnight of a day.
  package private(set) var rows: [LocalTime] = []
  /// The slots, in order.
  package private(set) var slots: [Slot] = []
  /// The window.
  package let window: Range<HistoryInstant>

  /// The layout of a window.
  ///
  /// - Parameter cells: The number of cells in a row; it divides the minutes of the row.
  package init(_ window: Range<HistoryInstant>, row: Row, cells: Int, _ calendar: LocalCalendar) {
    (self.window, self.row, self.cells) = (window, row, cells)
    let width = Int64(row.seconds / cells) * HistoryInstant.second
    var key: RowKey?
    for part in calendar.parts(of: window) {
      let offset = Int64(part.offset.seconds) * HistoryInstant.second
      var start = part.window.lowerBound
      while start < part.window.upperBound {
        let local = start.microseconds + offset
        let place = Self.place(local, row, part.offset)
        if place.key != key {
          key = place.key
          rows.append(place.beginning)
        }
        slots.append(Slot(start: start, row: rows.count - 1, cell: Int(place.within / width)))
        let next = start.advanced(by: width - place.within % width)
        // The last day of a short month ends before the last cell does.
        let midnight = (local.floored(by: HistoryInstant.day) + 1) * HistoryInstant.day - local
        start = min(next, start.advanced(by: midnight), part.window.upperBound)
      }
    }
  }

  /// Rows are the same if their keys are: a day that the clocks change in is one row, a repeated hour is two.
  private struct RowKey: Hashable {
    var start: Int64
    var offset: Int
  }

  /// The row of a local time, and the microseconds from its beginning.
  private static func place(
    _ local: Int64, _ row: Row, _ offset: TimeZoneOffset
  ) -> (key: RowKey, beginning: LocalTime, within: Int64) {
    let date = CivilDate(daysSince1970: Int(local.floored(by: HistoryInstant.day)))
    var (first, seconds) = (date, 0)
    switch row {
    case .hour:
      seconds = Int((local - local.floored(by: HistoryInstant.day) * HistoryInstant.day) / HistoryInstant.hour) * 3_600
    case .day: break
    case .week: first = date.startOfWeek
    case .month: first = date.advanced(byDays: 1 - date.day)
    }
    let start = Int64(first.daysSince1970) * HistoryInstant.day + Int64(seconds) * HistoryInstant.second
    let key = RowKey(start: start, offset: row == .hour ? offset.seconds : 0)
    let beginning = LocalTime(date: first, secondOfDay: seconds, microsecond: 0, offset: offset)
    return (key, beginning, local - start)
  }

  /// The windows of the slots, in order.
  package var windows: [Range<HistoryInstant>] {
    slots.indices.map { slots[$0].start..<end(of: $0) }
  }

  /// When a slot ends.
  package func end(of slot: Int) -> HistoryInstant {
    slot + 1 < slots.count ? slots[slot + 1].start : window.upperBound
  }

  /// The number of the slot that has the moment; `nil` outside the window.
  package func slot(at instant: HistoryInstant) -> Int? {
    guard window.contains(instant) else { return nil }
    var (low, high) = (0, slots.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if slots[middle].start <= instant { low = middle } else { high = middle }
    }
    return low
  }
}

internal import PathHistory
internal import PathModel

/// The tables with the sums of hours, of days and of everything: one row for each start, and one for each start and
/// reason.
final class HistorySums {
  static let (hours, days, lifetime) = ("hour", "day", "lifetime")
  /// All tables of sums.
  static let tables = [hours, days, lifetime]

  private let database: Database
  private let table: String
  private let selection: Statement
  private let reasons: Statement
  private var additions: (row: Statement, reason: Statement)?

  init(_ database: Database, table: String) throws(HistoryError) {
    self.database = database
    self.table = table
    selection = try database.prepare(
      """
      SELECT sum(satisfied), sum(suspended), sum(not_watched), sum(unknown), sum(expensive), sum(constrained),
      sum(changes), sum(outages), max(longest_outage) FROM \(table) WHERE start >= ?1 AND start < ?2
      """)
    reasons = try database.prepare(
      """
      SELECT name, sum(unsatisfied) FROM \(table)_reason JOIN reason ON reason.id = reason
      WHERE start >= ?1 AND start < ?2 GROUP BY reason
      """)
  }

  /// The sums of the rows that start in the window.
  func totals(in window: Range<HistoryInstant>) throws(HistoryError) -> HistoryTotals {
    var totals = HistoryTotals()
    let (lower, upper) = (window.lowerBound.microseconds, window.upperBound.microseconds)
    try selection.bind(lower, upper)
    guard try selection.step() else { return totals }
    totals.satisfied = selection.number(0)
    totals.suspended = selection.number(1)
    totals.notWatched = selection.number(2)
    totals.unknown = selection.number(3)
    totals.expensive = selection.number(4)
    totals.constrained = selection.number(5)
    totals.changes = selection.number(6)
    totals.outages = selection.number(7)
    totals.longestOutage = selection.number(8)
    selection.end()
    try reasons.bind(lower, upper)
    while try reasons.step() {
      totals.unsatisfiedByReason[UnsatisfiedReason(rawValue: reasons.text(0))] = reasons.number(1)
    }
    return totals
  }

  /// The start of the first row; `nil` without rows.
  func first() throws(HistoryError) -> HistoryInstant? {
    try database.number("SELECT min(start) FROM \(table)").map { HistoryInstant(microseconds: $0) }
  }

  /// Adds sums to a row. `identity` gives the number of a reason.
  func add(
    _ totals: HistoryTotals, at start: HistoryInstant,
    identity: (UnsatisfiedReason) throws(HistoryError) -> Int64
  ) throws(HistoryError) {
    let (addition, reasonAddition) = try additionStatements()
    try addition.bind(
      start.microseconds, totals.satisfied, totals.suspended, totals.notWatched, totals.unknown, totals.expensive,
      totals.constrained, totals.changes, totals.outages, totals.longestOutage)
    while try addition.step() {}
    for (reason, time) in totals.unsatisfiedByReason {
      try reasonAddition.bind(start.microseconds, try identity(reason), time)
      while try reasonAddition.step() {}
    }
  }

  private func additionStatements() throws(HistoryError) -> (row: Statement, reason: Statement) {
    if let additions { return additions }
    let row = try database.prepare(
      """
      INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (start) DO UPDATE SET
      satisfied = satisfied + ?2, suspended = suspended + ?3, not_watched = not_watched + ?4, unknown = unknown + ?5,
      expensive = expensive + ?6, constrained = constrained + ?7, changes = changes + ?8, outages = outages + ?9,
      longest_outage = max(longest_outage, ?10)
      """)
    let reason = try database.prepare(
      """
      INSERT INTO \(table)_reason VALUES (?1, ?2, ?3)
      ON CONFLICT (start, reason) DO UPDATE SET unsatisfied = unsatisfied + ?3
      """)
    additions = (row, reason)
    return (row, reason)
  }

  /// Removes the rows before a moment.
  func remove(before moment: HistoryInstant) throws(HistoryError) {
    try database.execute("DELETE FROM \(table) WHERE start < \(moment.microseconds)")
    try database.execute("DELETE FROM \(table)_reason WHERE start < \(moment.microseconds)")
  }
}

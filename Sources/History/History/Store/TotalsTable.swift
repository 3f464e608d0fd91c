internal import PathModel

/// A table with the totals of hours, of days or of everything: a row for each start, and one for each start and reason.
///
/// A time that was not watched has no row.
final class TotalsTable {
  static let (hours, days, lifetime) = ("hour", "day", "lifetime")
  /// All tables of totals.
  static let names = [hours, days, lifetime]

  private let database: Database
  private let name: String
  private let selection: Statement
  private let reasons: Statement
  private var additions: (row: Statement, reason: Statement)?

  init(_ database: Database, _ name: String) throws(HistoryError) {
    (self.database, self.name) = (database, name)
    selection = try database.prepare(
      """
      SELECT sum(satisfied), sum(suspended), sum(unknown), sum(expensive), sum(constrained), sum(changes),
      sum(outages), max(longest_outage) FROM \(name) WHERE start >= ?1 AND start < ?2
      """)
    reasons = try database.prepare(
      """
      SELECT name, sum(unsatisfied) FROM \(name)_reason JOIN reason ON reason.id = reason
      WHERE start >= ?1 AND start < ?2 GROUP BY reason
      """)
  }

  /// The totals of the rows that start in the window.
  func totals(in window: Range<HistoryInstant>) throws(HistoryError) -> PathTotals {
    var totals = PathTotals()
    let (lower, upper) = (window.lowerBound.microseconds, window.upperBound.microseconds)
    try selection.bind(lower, upper)
    guard try selection.step() else { return totals }
    totals.satisfied = try selection.amount(0)
    totals.suspended = try selection.amount(1)
    totals.unknown = try selection.amount(2)
    totals.expensive = try selection.amount(3)
    totals.constrained = try selection.amount(4)
    totals.changes = try selection.amount(5)
    totals.outages = try selection.amount(6)
    totals.longestOutage = try selection.amount(7)
    selection.end()
    try reasons.bind(lower, upper)
    while try reasons.step() {
      totals.unsatisfiedByReason[UnsatisfiedReason(rawValue: reasons.text(0)), default: 0] += try reasons.amount(1)
    }
    return totals
  }

  /// The start of the first row; `nil` without rows.
  func first() throws(HistoryError) -> HistoryInstant? {
    try database.instant("SELECT min(start) FROM \(name)")
  }

  /// Adds totals to a row. `identity` gives the number of a reason.
  func add(
    _ totals: PathTotals, at start: HistoryInstant,
    identity: (UnsatisfiedReason) throws(HistoryError) -> Int64
  ) throws(HistoryError) {
    let (addition, reasonAddition) = try additionStatements()
    try addition.bind(
      start.microseconds, totals.satisfied, totals.suspended, totals.unknown, totals.expensive, totals.constrained,
      totals.changes, totals.outages, totals.longestOutage)
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
      INSERT INTO \(name) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (start) DO UPDATE SET
      satisfied = satisfied + ?2, suspended = suspended + ?3, unknown = unknown + ?4, expensive = expensive + ?5,
      constrained = constrained + ?6, changes = changes + ?7, outages = outages + ?8,
      longest_outage = max(longest_outage, ?9)
      """)
    let reason = try database.prepare(
      """
      INSERT INTO \(name)_reason VALUES (?1, ?2, ?3)
      ON CONFLICT (start, reason) DO UPDATE SET unsatisfied = unsatisfied + ?3
      """)
    additions = (row, reason)
    return (row, reason)
  }

  /// Removes the rows before a moment.
  func remove(before moment: HistoryInstant) throws(HistoryError) {
    try database.execute("DELETE FROM \(name) WHERE start < \(moment.microseconds)")
    try database.execute("DELETE FROM \(name)_reason WHERE start < \(moment.microseconds)")
  }
}

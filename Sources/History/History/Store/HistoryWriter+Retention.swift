/// The limits of the file: its size, and the age of spans and hours.
extension HistoryWriter {
  /// The largest number of pages; an eighth of the size is for the journal.
  private var mostPages: Int64 { max(64, limits.bytes * 7 / 8 / Self.pageSize) }

  private func pages() throws(HistoryError) -> (all: Int64, used: Int64) {
    let all = try database.number("PRAGMA page_count") ?? 0
    return (all, all - (try database.number("PRAGMA freelist_count") ?? 0))
  }

  func isNearLimit(_ part: Double) throws(HistoryError) -> Bool {
    Double(try pages().used) >= Double(mostPages) * part
  }

  /// Makes a file smaller that is larger than its limit, because the limit was lowered.
  func shrink() throws(HistoryError) {
    var used = try pages().used
    while used > mostPages * 9 / 10 {
      try database.transaction { () throws(HistoryError) in try removeOldest(0.1) }
      let rest = try pages().used
      if rest == used { break }
      used = rest
    }
    if try pages().all > mostPages { try database.execute("PRAGMA incremental_vacuum") }
    try database.execute("PRAGMA max_page_count = \(mostPages)")
  }

  /// Removes a part of the spans, the oldest. If there are few, it removes that part of the hours. The totals of days
  /// and of everything stay.
  func removeOldest(_ part: Double) throws(HistoryError) {
    let count = try database.number("SELECT count(*) FROM span") ?? 0
    if count >= 1_000 {
      let removed = Int64(Double(count) * part)
      try removeSpans("number <= (SELECT number FROM span ORDER BY number LIMIT 1 OFFSET \(removed))")
      try database.execute("UPDATE present SET spans_since = (SELECT start FROM span ORDER BY number LIMIT 1)")
    } else if let hour = try database.instant(
      "SELECT start FROM hour ORDER BY start LIMIT 1 OFFSET (SELECT cast(count(*) * \(part) AS INTEGER) FROM hour)")
    {
      try removeHours(before: hour.startOfDay.advanced(by: HistoryInstant.day))
    }
  }

  private func removeSpans(_ condition: String) throws(HistoryError) {
    try database.execute(
      """
      DELETE FROM span WHERE \(condition) AND number IS NOT (SELECT number FROM present);
      DELETE FROM path WHERE id NOT IN (SELECT path FROM span WHERE path IS NOT NULL);
      DELETE FROM boot WHERE id NOT IN (SELECT boot FROM span)
      """)
    (paths, names) = ([:], [:])
  }

  private func removeHours(before moment: HistoryInstant) throws(HistoryError) {
    try hours.remove(before: moment)
    try database.execute("UPDATE present SET hours_since = max(coalesce(hours_since, 0), \(moment.microseconds))")
  }

  /// Removes what is older than the limits, at most once an hour.
  ///
  /// - Parameter newest: The newest span, whose end is the present. In the first hour of a boot the wall clock may be
  ///   wrong by years, so no more than a day's worth goes then, and only once.
  func removeExpired(at newest: HistorySpan?) throws(HistoryError) {
    guard let newest else { return }
    if let lastRemoval, newest.endBoottime - lastRemoval < HistoryInstant.hour { return }
    lastRemoval = newest.endBoottime
    var spansBefore = newest.end.advanced(by: -limits.spans)
    var hoursBefore = newest.end.advanced(by: -limits.hours).startOfDay
    let firstSpan = try database.instant("SELECT min(start) FROM span") ?? newest.start
    let firstHour = try hours.first() ?? newest.start
    if newest.endBoottime < HistoryInstant.hour {
      if last?.bootID == newest.bootID { return }
      spansBefore = min(spansBefore, firstSpan.advanced(by: HistoryInstant.day))
      hoursBefore = min(hoursBefore, firstHour.startOfDay.advanced(by: HistoryInstant.day))
    }
    if firstSpan < spansBefore {
      try removeSpans("start + duration < \(spansBefore.microseconds)")
      let since = spansBefore.microseconds
      try database.execute("UPDATE present SET spans_since = max(coalesce(spans_since, \(since)), \(since))")
    }
    if firstHour < hoursBefore { try removeHours(before: hoursBefore) }
  }
}

internal import JSON
package import PathHistory
internal import PathModel
internal import SystemIO

/// The history in a file, for readers. They need the right to read the file, and none for its folder.
package final class StoredHistory: HistoryReading {
  /// The file of the recorder that systemd starts.
  package static let usualFile = "/var/lib/pathmonitor-history/history.sqlite"

  let database: Database
  private let hours: HistorySums
  private let days: HistorySums
  private let lifetime: HistorySums
  private var states: [Int64: HistoryState] = [:]
  private var boots: [Int64: String] = [:]
  private var fields: [Int64: [String]] = [:]
  private static let columns = """
    number, state, path, start, duration, boottime, boot, changed, sequence, changes, outages, outage_before, \
    longest_folded
    """

  /// Opens a history.
  ///
  /// - Throws: ``HistoryError``; `noHistory` when there is no file.
  package convenience init(reading path: String = usualFile) throws(HistoryError) {
    guard Files.isThere(path) else {
      throw HistoryError(
        .noHistory, message: "there is no history at \(path)",
        advice: "Record one with: systemctl enable --now pathmonitor-history.service")
    }
    let database: Database
    do throws(HistoryError) {
      database = try Database(path, .reading)
    } catch {
      guard error.code == .cannotWrite else { throw error }
      throw HistoryError(.permissionDenied, message: error.message, advice: "Ask as a user who may read the file.")
    }
    database.setBusyTimeout(milliseconds: 5_000)
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048")
    let version = try HistorySchema.checkedVersion(of: database)
    if version == 0 { throw HistoryError(.noHistory, message: "nothing has been recorded in \(path) yet") }
    guard version == HistorySchema.version else {
      throw HistoryError(
        .other, message: "\(path) is of an earlier version and has not been converted yet",
        advice: "Start pathmonitor-history.service, which converts it.")
    }
    try self.init(database)
  }

  /// Reads over a connection, whose tables have the version of this program.
  init(_ database: Database) throws(HistoryError) {
    self.database = database
    hours = try HistorySums(database, table: HistorySums.hours)
    days = try HistorySums(database, table: HistorySums.days)
    lifetime = try HistorySums(database, table: HistorySums.lifetime)
  }

  // MARK: Spans

  /// The present span, up to the latest moment at which its state is known; `nil` when nothing has been recorded.
  func present() throws(HistoryError) -> HistorySpan? {
    guard let number = try database.number("SELECT number FROM present") else { return nil }
    return try span(number)
  }

  /// The last span that has been recorded, the present one included.
  func last() throws(HistoryError) -> HistorySpan? {
    guard let number = try database.number("SELECT max(number) FROM span") else { return nil }
    return try span(number)
  }

  private func span(_ number: Int64) throws(HistoryError) -> HistorySpan? {
    let statement = try database.prepare("SELECT \(Self.columns) FROM span WHERE number = \(number)")
    guard try statement.step() else { return nil }
    var span = try span(in: statement)
    statement.end()
    extend(&span)
    return span
  }

  /// Extends a span as its mark says.
  private func extend(_ span: inout HistorySpan) {
    if let mark = HistoryMark(HistoryMark.path(of: database.path)), mark.number == span.number {
      span.duration = max(span.duration, mark.duration)
    }
  }

  /// The largest number of spans that are read at once. The file is locked meanwhile, and not while the caller uses
  /// them.
  private static let portion = 4_096

  package func spans(in window: Range<HistoryInstant>, _ body: (HistorySpan) -> Bool) throws(HistoryError) {
    let presentNumber = try database.number("SELECT number FROM present")
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM span
      WHERE number > ?1 AND start < ?3 AND (start + duration > ?2 OR start >= ?2 OR number = ?4)
      ORDER BY number LIMIT \(Self.portion)
      """)
    var number = Int64.min
    while true {
      var portion: [HistorySpan] = []
      try statement.bind(
        number, window.lowerBound.microseconds, window.upperBound.microseconds, presentNumber ?? .min)
      while try statement.step() { portion.append(try span(in: statement)) }
      for var span in portion {
        if span.number == presentNumber { extend(&span) }
        if span.touches(window), !body(span) { return }
      }
      guard portion.count == Self.portion, let last = portion.last else { return }
      number = last.number
    }
  }

  private func span(in row: Statement) throws(HistoryError) -> HistorySpan {
    var span = HistorySpan(
      number: row.number(0), state: try state(row.number(1), row.number(2)),
      start: HistoryInstant(microseconds: row.number(3)), duration: row.number(4), boottime: row.optional(5),
      bootID: try boot(row.number(6)))
    span.changed = try fields(row.number(7))
    span.sequence = Int(row.number(8))
    span.changes = Int(row.number(9))
    span.outages = Int(row.number(10))
    span.outageBefore = row.number(11)
    span.longestFolded = row.optional(12)
    return span
  }

  private func state(_ kind: Int64, _ path: Int64) throws(HistoryError) -> HistoryState {
    switch StateKind(rawValue: kind) {
    case .suspended: return .suspended
    case .notWatched: return .notWatched
    case .path: break
    case .unknown, nil: return .unknown
    }
    if let state = states[path] { return state }
    let statement = try database.prepare("SELECT json FROM path WHERE id = \(path)")
    guard try statement.step() else {
      throw HistoryError(.damaged, message: "\(database.path) lacks path \(path)")
    }
    let json = statement.text(0)
    statement.end()
    do {
      let value = try NetworkPath(json: try JSONValue(parsing: Array(json.utf8)))
      let state = HistoryState.path(RecordedPath(value))
      states[path] = state
      return state
    } catch {
      throw HistoryError(.damaged, message: "\(database.path) has a path \(path) that cannot be read: \(error)")
    }
  }

  private func boot(_ identity: Int64) throws(HistoryError) -> String {
    if let name = boots[identity] { return name }
    let name = try text("SELECT name FROM boot WHERE id = \(identity)")
    boots[identity] = name
    return name
  }

  private func fields(_ identity: Int64) throws(HistoryError) -> [String] {
    if let names = fields[identity] { return names }
    let names = try text("SELECT fields FROM changed WHERE id = \(identity)").unicodeScalars
      .split(separator: " ").map(String.init)
    fields[identity] = names
    return names
  }

  private func text(_ query: String) throws(HistoryError) -> String {
    let statement = try database.prepare(query)
    defer { statement.end() }
    return try statement.step() ? statement.text(0) : ""
  }

  // MARK: Sums

  package func extent() throws(HistoryError) -> HistoryExtent? {
    guard let present = try last() else { return nil }
    let first = try database.number("SELECT start FROM span ORDER BY number LIMIT 1") ?? present.start.microseconds
    let firstDay = try days.first()
    let pages = try database.number("PRAGMA page_count") ?? 0
    let size = try database.number("PRAGMA page_size") ?? 0
    let firstSpan = HistoryInstant(microseconds: first)
    // A day that has all its spans begins with the first of them.
    let isWhole = try database.number("SELECT min(number) FROM span") == 1
    return HistoryExtent(
      firstSpan: firstSpan, firstTotals: isWhole ? firstSpan : min(firstDay ?? firstSpan, firstSpan),
      latest: present.end, spans: Int(try database.number("SELECT count(*) FROM span") ?? 0), bytes: pages * size)
  }

  package func lifetimeTotals() throws(HistoryError) -> HistoryTotals {
    let zero = HistoryInstant(microseconds: 0)
    var totals = try lifetime.totals(in: zero..<zero.advanced(by: 1))
    if let present = try present() { totals.add(present) }
    return totals
  }

  package func totals(of windows: [Range<HistoryInstant>]) throws(HistoryError) -> [HistoryTotals] {
    // Without a transaction, the recorder could move a span into the sums between two of the questions.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    var results = [HistoryTotals](repeating: HistoryTotals(), count: windows.count)
    let firstHour = try hours.first() ?? HistoryInstant(microseconds: .max)
    // Hours go by whole days, so that no hour is in both.
    let hoursBegin = firstHour.microseconds == .max ? firstHour : firstHour.startOfDay
    let spansBegin = try firstCompleteHour()
    let present = try present()
    var parts: [(window: Range<HistoryInstant>, position: Int)] = []
    for (position, window) in windows.enumerated() {
      let early = window.clamped(to: HistoryInstant(microseconds: .min)..<hoursBegin)
      if !early.isEmpty { try addDays(in: early, to: &results[position]) }
      let late = window.clamped(to: hoursBegin..<HistoryInstant(microseconds: .max))
      if !late.isEmpty {
        for part in try addHours(in: late, spansBegin, to: &results[position]) { parts.append((part, position)) }
      }
      if let present { results[position].add(present, in: window) }
    }
    try addSpans(of: parts, except: present?.number, to: &results)
    return results
  }

  /// The first hour of which every span is still there.
  private func firstCompleteHour() throws(HistoryError) -> HistoryInstant {
    let statement = try database.prepare("SELECT number, start FROM span ORDER BY number LIMIT 1")
    guard try statement.step() else { return HistoryInstant(microseconds: .max) }
    defer { statement.end() }
    let hour = HistoryInstant(microseconds: statement.number(1)).startOfHour
    return statement.number(0) == 1 ? hour : hour.advanced(by: HistoryInstant.hour)
  }

  /// Adds the days in a window, and of those that reach beyond it a part.
  private func addDays(in window: Range<HistoryInstant>, to totals: inout HistoryTotals) throws(HistoryError) {
    guard let first = try days.first() else { return }
    var day = max(window.lowerBound.startOfDay, first)
    while day < window.upperBound {
      let next = day.advanced(by: HistoryInstant.day)
      let row = try days.totals(in: day..<next)
      totals.add(row.part(of: day..<next, in: window))
      day = next
    }
  }

  /// Adds the whole hours in a window.
  ///
  /// - Returns: The parts of hours that are left, whose spans are still there.
  private func addHours(
    in window: Range<HistoryInstant>, _ spansBegin: HistoryInstant, to totals: inout HistoryTotals
  ) throws(HistoryError) -> [Range<HistoryInstant>] {
    let last = window.upperBound.startOfHour
    var first = window.lowerBound.startOfHour
    if first != window.lowerBound { first = first.advanced(by: HistoryInstant.hour) }
    if first < last { totals.add(try hours.totals(in: first..<last)) }
    let edges =
      first <= last ? [window.lowerBound..<first, last..<window.upperBound] : [window.lowerBound..<window.upperBound]
    var parts: [Range<HistoryInstant>] = []
    for edge in edges where !edge.isEmpty {
      let hour = edge.lowerBound.startOfHour
      if hour >= spansBegin {
        parts.append(edge)
      } else {
        let whole = hour..<hour.advanced(by: HistoryInstant.hour)
        totals.add(try hours.totals(in: whole).part(of: whole, in: edge))
      }
    }
    return parts
  }

  /// Adds the spans of parts of hours, in one pass.
  private func addSpans(
    of parts: [(window: Range<HistoryInstant>, position: Int)], except present: Int64?,
    to results: inout [HistoryTotals]
  ) throws(HistoryError) {
    let parts = parts.sorted { $0.window.lowerBound < $1.window.lowerBound }
    guard let first = parts.first, let last = parts.map(\.window.upperBound).max() else { return }
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM span WHERE start - outage_before < ?2 AND start + duration >= ?1 AND number <> ?3
      """)
    try statement.bind(first.window.lowerBound.microseconds, last.microseconds, present ?? .min)
    while try statement.step() {
      let (start, end) = (statement.number(3) - statement.number(11), statement.number(3) + statement.number(4))
      // No part is longer than an hour.
      var position = parts.partition { $0.window.lowerBound.microseconds >= start - HistoryInstant.hour }
      guard position < parts.count, parts[position].window.lowerBound.microseconds <= end else { continue }
      let span = try span(in: statement)
      while position < parts.count, parts[position].window.lowerBound.microseconds <= end {
        results[parts[position].position].add(span, in: parts[position].window)
        position += 1
      }
    }
  }
}

/// The states in the column `state`.
enum StateKind: Int64 {
  case path = 0
  case suspended = 1
  case notWatched = 2
  case unknown = 3

  init(_ state: HistoryState) {
    switch state {
    case .path: self = .path
    case .suspended: self = .suspended
    case .notWatched: self = .notWatched
    case .unknown: self = .unknown
    }
  }
}

extension Array {
  /// The position of the first element that is as asked; all elements after it are, too.
  fileprivate func partition(_ isLate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isLate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension HistoryTotals {
  /// The part of these sums of a time that lies in a window. The counts are in the window in which the time begins.
  fileprivate func part(of whole: Range<HistoryInstant>, in window: Range<HistoryInstant>) -> HistoryTotals {
    let part = whole.clamped(to: window)
    if part == whole { return self }
    func share(_ time: Int64) -> Int64 {
      Int64((Double(time) * Double(part.microseconds) / Double(whole.microseconds)).rounded())
    }
    var result = HistoryTotals()
    (result.satisfied, result.suspended) = (share(satisfied), share(suspended))
    (result.notWatched, result.unknown) = (share(notWatched), share(unknown))
    (result.expensive, result.constrained) = (share(expensive), share(constrained))
    result.unsatisfiedByReason = unsatisfiedByReason.mapValues(share)
    if window.contains(whole.lowerBound) {
      (result.changes, result.outages, result.longestOutage) = (changes, outages, longestOutage)
    }
    return result
  }
}

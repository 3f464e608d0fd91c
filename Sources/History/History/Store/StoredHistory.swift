package import PathModel
internal import SystemIO

/// The history in a file, for readers. They need the right to read the file, and none for its folder.
///
/// A reader sees one state of the file for as long as it lives, and the writer waits for it meanwhile. So it lives no
/// longer than its reading.
package final class StoredHistory: HistoryReading {
  /// The file of the recorder that systemd starts.
  package static let usualFile = "/var/lib/pathmonitor-history/history.sqlite"

  let database: Database
  private let hours: TotalsTable
  private let days: TotalsTable
  private let lifetime: TotalsTable
  private var states: [Int64: HistoryState] = [:]
  private var boots: [Int64: String] = [:]
  private var fields: [Int64: [String]] = [:]
  private static let columns = """
    number, state, path, start, duration, boottime, boot, changed, sequence, changes, outages, outage_before
    """

  /// Opens a history, and begins to read it.
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
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; BEGIN")
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
    hours = try TotalsTable(database, TotalsTable.hours)
    days = try TotalsTable(database, TotalsTable.days)
    lifetime = try TotalsTable(database, TotalsTable.lifetime)
  }

  // MARK: Spans

  /// The present span, up to the latest moment at which its state is known; `nil` without one.
  func present() throws(HistoryError) -> HistorySpan? { try span("number = (SELECT number FROM present)") }

  /// The last span that has been recorded, the present one included.
  func last() throws(HistoryError) -> HistorySpan? { try span("number = (SELECT max(number) FROM span)") }

  private func span(_ condition: String) throws(HistoryError) -> HistorySpan? {
    let statement = try database.prepare("SELECT \(Self.columns) FROM span WHERE \(condition)")
    guard try statement.step() else { return nil }
    var span = try span(in: statement)
    statement.end()
    extend(&span)
    return span
  }

  /// Extends a span as its mark says.
  private func extend(_ span: inout HistorySpan) {
    // A mark that is being written can be torn.
    for _ in 0..<3 {
      guard let mark = HistoryMark(HistoryMark.path(of: database.path)) else { continue }
      if mark.number == span.number { span.duration = max(span.duration, mark.duration) }
      return
    }
  }

  package func spans(in window: Range<HistoryInstant>, _ body: (HistorySpan) -> Void) throws(HistoryError) {
    let presentNumber = try database.number("SELECT number FROM present")
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM span
      WHERE start < ?2 AND (start + duration > ?1 OR start >= ?1 OR number = ?3) ORDER BY number
      """)
    try statement.bind(window.lowerBound.microseconds, window.upperBound.microseconds, presentNumber ?? .min)
    while try statement.step() {
      var span = try span(in: statement)
      if span.number == presentNumber { extend(&span) }
      if span.touches(window) { body(span) }
    }
  }

  private func span(in row: Statement) throws(HistoryError) -> HistorySpan {
    var span = HistorySpan(
      number: try row.identity(0), state: try state(row.number(1), row.number(2)),
      start: try row.instant(3) ?? HistoryInstant(microseconds: 0), duration: try row.amount(4),
      boottime: try row.identity(5), bootID: try boot(row.number(6)))
    span.changed = try fields(row.number(7))
    span.sequence = Int(row.number(8))
    span.changes = Int(try row.amount(9))
    span.outages = Int(try row.amount(10))
    span.outageBefore = try row.amount(11)
    return span
  }

  private func state(_ kind: Int64, _ path: Int64) throws(HistoryError) -> HistoryState {
    switch StateKind(rawValue: kind) {
    case .suspended: return .suspended
    case .unknown: return .unknown
    case .path: break
    case nil: throw HistoryError(.damaged, message: "\(database.path) is damaged: it has the state \(kind)")
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

  // MARK: Totals

  package func extent() throws(HistoryError) -> HistoryExtent? {
    guard let last = try last() else { return nil }
    let first = try database.instant("SELECT min(start) FROM span") ?? last.start
    let since = try since("spans_since")
    let firstSpan = max(first, since ?? first)
    // A day that has all its spans begins with the first of them.
    let firstTotals = since == nil ? first : min(try days.first() ?? firstSpan, firstSpan)
    let pages = try database.number("PRAGMA page_count") ?? 0
    let size = try database.number("PRAGMA page_size") ?? 0
    return HistoryExtent(
      firstSpan: firstSpan, firstTotals: firstTotals, latest: last.end, isOpen: try present() != nil,
      spans: Int(try database.number("SELECT count(*) FROM span") ?? 0), bytes: pages * size)
  }

  /// The moment from which on nothing was removed, from a column of the table `present`; `nil` if nothing was at all.
  func since(_ column: String) throws(HistoryError) -> HistoryInstant? {
    try database.instant("SELECT \(column) FROM present")
  }

  package func lifetimeTotals() throws(HistoryError) -> PathTotals {
    let zero = HistoryInstant(microseconds: 0)
    var totals = try lifetime.totals(in: zero..<zero.advanced(by: 1))
    if let present = try present() { totals.add(present) }
    return totals
  }

  package func totals(of windows: [Range<HistoryInstant>]) throws(HistoryError) -> [PathTotals] {
    var results = [PathTotals](repeating: PathTotals(), count: windows.count)
    let (least, most) = (HistoryInstant(microseconds: .min), HistoryInstant(microseconds: .max))
    // Hours and spans begin with whole days and hours, so that nothing is in both.
    let hoursBegin = try since("hours_since")?.startOfDay ?? least
    let spansBegin = try since("spans_since").map { $0.startOfHour.advanced(by: HistoryInstant.hour) } ?? least
    let present = try present()
    var parts: [(window: Range<HistoryInstant>, position: Int)] = []
    for (position, window) in windows.enumerated() {
      for edge in try add(days, HistoryInstant.day, in: window.clamped(to: least..<hoursBegin), to: &results[position])
      {
        try addShare(of: edge, in: days, HistoryInstant.day, to: &results[position])
      }
      for edge in try add(hours, HistoryInstant.hour, in: window.clamped(to: hoursBegin..<most), to: &results[position])
      {
        if edge.lowerBound.startOfHour >= spansBegin {
          parts.append((edge, position))
        } else {
          try addShare(of: edge, in: hours, HistoryInstant.hour, to: &results[position])
        }
      }
      if let present { results[position].add(present, in: window) }
    }
    try addSpans(of: parts, except: present?.number, to: &results)
    return results
  }

  /// Adds the rows of a table that lie in a window as a whole. Returns the edges that are left.
  private func add(
    _ table: TotalsTable, _ length: Int64, in window: Range<HistoryInstant>, to totals: inout PathTotals
  ) throws(HistoryError) -> [Range<HistoryInstant>] {
    if window.isEmpty { return [] }
    let last = window.upperBound.start(of: length)
    var first = window.lowerBound.start(of: length)
    if first != window.lowerBound { first = first.advanced(by: length) }
    if first < last { totals.add(try table.totals(in: first..<last)) }
    let edges = first <= last ? [window.lowerBound..<first, last..<window.upperBound] : [window]
    return edges.filter { !$0.isEmpty }
  }

  /// Adds the part of a row that an edge of a window covers.
  private func addShare(
    of edge: Range<HistoryInstant>, in table: TotalsTable, _ length: Int64, to totals: inout PathTotals
  ) throws(HistoryError) {
    let start = edge.lowerBound.start(of: length)
    let whole = start..<start.advanced(by: length)
    totals.add(try table.totals(in: whole).part(of: whole, in: edge))
  }

  /// Adds the spans of parts of hours, in one pass.
  private func addSpans(
    of parts: [(window: Range<HistoryInstant>, position: Int)], except present: Int64?,
    to results: inout [PathTotals]
  ) throws(HistoryError) {
    let parts = parts.sorted { $0.window.lowerBound < $1.window.lowerBound }
    guard let first = parts.first, let last = parts.map(\.window.upperBound).max() else { return }
    let statement = try database.prepare(
      """
      SELECT \(Self.columns) FROM span WHERE start - outage_before < ?2 AND start + duration >= ?1 AND number <> ?3
      """)
    try statement.bind(first.window.lowerBound.microseconds, last.microseconds, present ?? .min)
    while try statement.step() {
      // Most spans of a long time touch no part, and are not decoded. No part is longer than an hour.
      let earliest = statement.number(3) &- statement.number(11) &- HistoryInstant.hour
      let end = statement.number(3) &+ statement.number(4)
      var position = parts.partition { $0.window.lowerBound.microseconds >= earliest }
      guard position < parts.count, parts[position].window.lowerBound.microseconds <= end else { continue }
      let span = try span(in: statement)
      while position < parts.count, parts[position].window.lowerBound <= span.end {
        results[parts[position].position].add(span, in: parts[position].window)
        position += 1
      }
    }
  }
}

/// The states in the column `state`. A file of version 1 had 2 for time that was not watched.
enum StateKind: Int64 {
  case path = 0
  case suspended = 1
  case unknown = 3

  init(_ state: HistoryState) {
    switch state {
    case .path: self = .path
    case .suspended: self = .suspended
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

extension PathTotals {
  /// The part of these totals of a time that lies in a window. The counts are in the window in which the time begins.
  fileprivate func part(of whole: Range<HistoryInstant>, in window: Range<HistoryInstant>) -> PathTotals {
    let part = whole.clamped(to: window)
    if part == whole { return self }
    func share(_ time: Int64) -> Int64 {
      Int64((Double(time) * Double(part.microseconds) / Double(whole.microseconds)).rounded())
    }
    var result = PathTotals()
    (result.satisfied, result.suspended) = (share(satisfied), share(suspended))
    result.unknown = share(unknown)
    (result.expensive, result.constrained) = (share(expensive), share(constrained))
    result.unsatisfiedByReason = unsatisfiedByReason.mapValues(share)
    if window.contains(whole.lowerBound) {
      (result.changes, result.outages, result.longestOutage) = (changes, outages, longestOutage)
    }
    return result
  }
}

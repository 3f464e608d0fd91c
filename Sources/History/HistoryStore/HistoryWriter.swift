internal import JSON
package import PathHistory
internal import PathModel
internal import SystemIO

/// The limits of a history.
package struct HistoryLimits: Hashable, Sendable {
  /// The largest size of the file and of its journal, in bytes.
  package var bytes: Int64
  /// How long spans are kept, in microseconds.
  package var spans: Int64
  /// How long the sums of hours are kept, in microseconds. Those of days stay.
  package var hours: Int64

  /// Limits.
  package init(bytes: Int64, spans: Int64, hours: Int64) {
    (self.bytes, self.spans, self.hours) = (bytes, spans, hours)
  }
}

/// Writes the history to its file. There is one writer at a time.
///
/// The file has a rollback journal, and no write-ahead log: a reader of the latter needs the right to write to the
/// folder, or reads an old state. A reader delays a writer for as long as it reads a portion.
package final class HistoryWriter {
  /// The last span in the file when the writer was made; `nil` in a new file.
  package let last: HistorySpan?

  /// Whether the file is still at its path: somebody may have removed or replaced it.
  package var isCurrent: Bool { identity != nil && identity == Files.Identity(path) }

  /// Held as long as the writer lives. Readers cannot take it.
  private let lock: Files.FileLock
  private let path: String
  private let identity: Files.Identity?
  private let limits: HistoryLimits
  private let history: StoredHistory
  private var database: Database { history.database }
  private let hours: HistorySums
  private let days: HistorySums
  private let lifetime: HistorySums
  private let spanInsertion: Statement
  private let presentUpdate: Statement
  private var paths: [RecordedPath: Int64] = [:]
  private var names: [String: Int64] = [:]
  private var spansSinceCheck = 0
  private var lastRemoval: HistoryInstant?

  /// Opens the file, and makes it if there is none. A span that was the present one when its recorder ended is ended
  /// where its mark says.
  ///
  /// - Parameters:
  ///   - isDurable: Whether each change waits for the disk. Only a history that is generated does without.
  /// - Throws: ``HistoryError``; `damaged` if ``setAside(_:at:)`` helps.
  package init(_ path: String, limits: HistoryLimits, isDurable: Bool = true) throws(HistoryError) {
    lock = try Self.lock(path)
    let database = try Database(path, .writing)
    // Readers release the file after a portion.
    database.setBusyTimeout(milliseconds: 1_000)
    // Nothing is written to a file that is not ours, or is damaged.
    if try HistorySchema.checkedVersion(of: database) == 0 {
      try database.execute("PRAGMA page_size = \(Self.pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    } else {
      try Self.check(database)
    }
    try database.execute(
      """
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = \(isDurable ? "FULL" : "OFF"); PRAGMA cache_size = -512;
      PRAGMA trusted_schema = OFF; PRAGMA max_page_count = \(max(64, limits.bytes * 7 / 8 / Self.pageSize))
      """)
    try HistorySchema.migrate(database)
    self.path = path
    identity = Files.Identity(path)
    self.limits = limits
    history = try StoredHistory(database)
    hours = try HistorySums(database, table: HistorySums.hours)
    days = try HistorySums(database, table: HistorySums.days)
    lifetime = try HistorySums(database, table: HistorySums.lifetime)
    spanInsertion = try database.prepare(
      "INSERT OR REPLACE INTO span VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
    presentUpdate = try database.prepare("UPDATE present SET number = ?1")
    last = try history.last()
    if let present = try history.present() { try end(present) }
  }

  private static let pageSize: Int64 = 4_096

  private static func lock(_ path: String) throws(HistoryError) -> Files.FileLock {
    do throws(SystemError) {
      if let lock = try Files.lockOwnFile("\(path)-lock") { return lock }
    } catch {
      throw HistoryError(.cannotWrite, message: error.description)
    }
    throw HistoryError(.busy, message: "another recorder writes to \(path)", advice: "End it, or choose another file.")
  }

  private static func check(_ database: Database) throws(HistoryError) {
    // SQLite takes what a page lacks at the end of a file for zeros.
    let size = (try database.number("PRAGMA page_count") ?? 0) * (try database.number("PRAGMA page_size") ?? 0)
    guard Files.size(of: database.path) == size else {
      throw HistoryError(
        .damaged,
        message: "\(database.path) is damaged: it has \(Files.size(of: database.path) ?? 0) bytes in place of \(size)")
    }
    let statement = try database.prepare("PRAGMA quick_check(1)")
    defer { statement.end() }
    guard try statement.step(), statement.text(0) == "ok" else {
      throw HistoryError(.damaged, message: "\(database.path) is damaged: \(statement.text(0))")
    }
  }

  /// Gives a damaged history another name, so that a new one can be made. Nothing of it is removed.
  ///
  /// - Parameter now: The time that is part of the name.
  /// - Returns: The name.
  package static func setAside(_ path: String, at now: HistoryInstant) throws(HistoryError) -> String {
    let stem = "\(path).damaged-\(WallClock.compactUTC(microseconds: now.microseconds))"
    var name = stem
    var number = 1
    while Files.isThere(name) {
      number += 1
      name = "\(stem)-\(number)"
    }
    do throws(SystemError) {
      try Files.move(path, to: name)
      for suffix in ["-journal", "-mark"] where Files.isThere(path + suffix) {
        try Files.move(path + suffix, to: name + suffix)
      }
    } catch {
      throw HistoryError(.cannotWrite, message: error.description)
    }
    return name
  }

  // MARK: Writing

  /// Writes spans that have ended, and the present one, in one transaction.
  ///
  /// Numbers go on behind those of ``last``. The span that was the present one is replaced by the span with its
  /// number.
  package func write(_ closed: [HistorySpan], present: HistorySpan) throws(HistoryError) {
    do throws(HistoryError) {
      try attempt(closed, present)
    } catch  where error.code == .cannotWrite {
      // Perhaps the file has reached its size. If the disk is full, this fails, too.
      guard try isNearLimit(0.8) else { throw error }
      try removeOldest()
      try attempt(closed, present)
    }
    spansSinceCheck += closed.count + 1
    if spansSinceCheck >= 256 {
      spansSinceCheck = 0
      if try isNearLimit(0.9) { try removeOldest() }
    }
    try removeExpired(at: present.end)
  }

  private func attempt(_ closed: [HistorySpan], _ present: HistorySpan) throws(HistoryError) {
    do throws(HistoryError) {
      try database.transaction { () throws(HistoryError) in
        var sums = Sums()
        for span in closed {
          try insert(span)
          sums.add(span)
        }
        try insert(present)
        try presentUpdate.run([.number(present.number)])
        try add(sums)
      }
    } catch {
      // Rows that were taken back have no identity any more.
      (paths, names) = ([:], [:])
      throw error
    }
  }

  /// Ends the present span of an earlier recorder.
  private func end(_ present: HistorySpan) throws(HistoryError) {
    try database.transaction { () throws(HistoryError) in
      var sums = Sums()
      sums.add(present)
      try insert(present)
      try presentUpdate.run([.null])
      try add(sums)
    }
  }

  /// Writes beside the file how long the present span has lasted. It must have been written before.
  package func mark(_ present: HistorySpan) throws(HistoryError) {
    do throws(SystemError) {
      let mark = HistoryMark(number: present.number, duration: present.duration)
      try Files.overwrite(HistoryMark.path(of: path), with: mark.bytes)
    } catch {
      throw HistoryError(.cannotWrite, message: error.description)
    }
  }

  private func insert(_ span: HistorySpan) throws(HistoryError) {
    let pathIdentity: Statement.Value =
      if let path = span.state.path { .number(try identity(of: path)) } else { .null }
    try spanInsertion.run([
      .number(span.number), .number(StateKind(span.state).rawValue), pathIdentity, .number(span.start.microseconds),
      .number(span.duration), span.boottime.map { .number($0) } ?? .null,
      .number(try identity(of: span.bootID, in: "boot")),
      .number(try identity(of: span.changed.joined(separator: " "), in: "changed")), .number(Int64(span.sequence)),
      .number(Int64(span.changes)), .number(Int64(span.outages)), .number(span.outageBefore),
      span.longestFolded.map { .number($0) } ?? .null,
    ])
  }

  // MARK: Sums

  /// The sums of some spans, by hour, by day and altogether.
  private struct Sums {
    var hours: [HistoryInstant: HistoryTotals] = [:]
    var days: [HistoryInstant: HistoryTotals] = [:]
    var all = HistoryTotals()

    mutating func add(_ span: HistorySpan) {
      all.add(span)
      Self.add(span, of: HistoryInstant.hour, from: \.startOfHour, to: &hours)
      Self.add(span, of: HistoryInstant.day, from: \.startOfDay, to: &days)
    }

    private static func add(
      _ span: HistorySpan, of length: Int64, from beginning: (HistoryInstant) -> HistoryInstant,
      to sums: inout [HistoryInstant: HistoryTotals]
    ) {
      var start = beginning(span.start)
      repeat {
        sums[start, default: HistoryTotals()].add(span, in: start..<start.advanced(by: length))
        start = start.advanced(by: length)
      } while start < span.end
      // The outage may have begun in an earlier window, which has the length of it.
      let begin = beginning(span.start.advanced(by: -span.outageBefore))
      if span.isOutage, begin < beginning(span.start) {
        let longest = sums[begin]?.longestOutage ?? 0
        sums[begin, default: HistoryTotals()].longestOutage = max(longest, span.longestOutage)
      }
    }
  }

  private func add(_ sums: Sums) throws(HistoryError) {
    if sums.hours.isEmpty { return }
    let identity = { (reason: UnsatisfiedReason) throws(HistoryError) -> Int64 in
      try self.identity(of: reason.rawValue, in: "reason")
    }
    for (start, totals) in sums.hours { try hours.add(totals, at: start, identity: identity) }
    for (start, totals) in sums.days { try days.add(totals, at: start, identity: identity) }
    try lifetime.add(sums.all, at: HistoryInstant(microseconds: 0), identity: identity)
  }

  // MARK: Identities

  private func identity(of path: RecordedPath) throws(HistoryError) -> Int64 {
    if let identity = paths[path] { return identity }
    var writer = JSONWriter(reservingCapacity: NetworkPath.usualLength)
    path.path.write(to: &writer)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    let hash = Int64(bitPattern: StableHash.value(of: writer.bytes))
    let identity: Int64
    if let known = try found(json, hash) {
      identity = known
    } else {
      identity = try insert(path, json, hash)
    }
    if paths.count >= 64 { paths = [:] }
    paths[path] = identity
    return identity
  }

  private func found(_ json: String, _ hash: Int64) throws(HistoryError) -> Int64? {
    let statement = try database.prepare("SELECT id, json FROM path WHERE hash = \(hash)")
    while try statement.step() {
      if statement.text(1).exact == json.exact {
        let identity = statement.number(0)
        statement.end()
        return identity
      }
    }
    return nil
  }

  private func insert(_ path: RecordedPath, _ json: String, _ hash: Int64) throws(HistoryError) -> Int64 {
    func text(_ text: String?) -> Statement.Value { text.map { .text($0) } ?? .null }
    let statement = try database.prepare(
      """
      INSERT INTO path (hash, status, reason, interface, interface_type, gateway, network_name, expensive, constrained,
      json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    try statement.run([
      .number(hash), .text(path.path.status.rawValue), text(path.reason?.rawValue), text(path.interface?.name),
      text(path.interfaceType?.rawValue), text(path.gateway?.description), text(path.networkName),
      .number(path.isExpensive ? 1 : 0), .number(path.isConstrained ? 1 : 0), .text(json),
    ])
    return database.insertedRow
  }

  private func identity(of name: String, in table: String) throws(HistoryError) -> Int64 {
    let key = "\(table) \(name)"
    if let identity = names[key] { return identity }
    let column = table == "changed" ? "fields" : "name"
    let search = try database.prepare("SELECT id FROM \(table) WHERE \(column) = ?1")
    try search.bind([.text(name)])
    let identity: Int64
    if try search.step() {
      identity = search.number(0)
      search.end()
    } else {
      try database.prepare("INSERT INTO \(table) (\(column)) VALUES (?1)").run([.text(name)])
      identity = database.insertedRow
    }
    if names.count >= 1_024 { names = [:] }
    names[key] = identity
    return identity
  }

  // MARK: Retention

  private func isNearLimit(_ part: Double) throws(HistoryError) -> Bool {
    let pages = try database.number("PRAGMA page_count") ?? 0
    let free = try database.number("PRAGMA freelist_count") ?? 0
    let limit = try database.number("PRAGMA max_page_count") ?? .max
    return Double(pages - free) >= Double(limit) * part
  }

  /// Removes a tenth of the spans, the oldest. If there are few, it removes a tenth of the hours. The sums of days and
  /// of everything stay.
  private func removeOldest() throws(HistoryError) {
    let count = try database.number("SELECT count(*) FROM span") ?? 0
    try database.transaction { () throws(HistoryError) in
      if count >= 1_000 {
        try removeSpans("number <= (SELECT number FROM span ORDER BY number LIMIT 1 OFFSET \(count / 10))")
      } else if let hour = try database.number(
        "SELECT start FROM hour ORDER BY start LIMIT 1 OFFSET (SELECT count(*) / 10 FROM hour)")
      {
        try hours.remove(before: HistoryInstant(microseconds: hour).startOfDay.advanced(by: HistoryInstant.day))
      }
    }
  }

  private func removeSpans(_ condition: String) throws(HistoryError) {
    try database.execute("DELETE FROM span WHERE \(condition) AND number IS NOT (SELECT number FROM present)")
    try database.execute(
      """
      DELETE FROM path WHERE id NOT IN (SELECT path FROM span WHERE path IS NOT NULL);
      DELETE FROM boot WHERE id NOT IN (SELECT boot FROM span)
      """)
    (paths, names) = ([:], [:])
  }

  /// Removes what is older than the limits, at most once an hour.
  private func removeExpired(at now: HistoryInstant) throws(HistoryError) {
    if let lastRemoval, lastRemoval.microseconds(to: now).magnitude < UInt64(HistoryInstant.hour) { return }
    lastRemoval = now
    let spansBefore = now.microseconds - limits.spans
    let hoursBefore = now.advanced(by: -limits.hours).startOfDay
    let hasOldSpans = try database.number("SELECT start + duration FROM span ORDER BY number LIMIT 1") ?? .max
    let firstHour = try hours.first() ?? now
    guard hasOldSpans < spansBefore || firstHour < hoursBefore else { return }
    try database.transaction { () throws(HistoryError) in
      try removeSpans("start + duration < \(spansBefore)")
      try hours.remove(before: hoursBefore)
    }
  }
}

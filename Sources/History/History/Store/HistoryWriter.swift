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
/// folder, or reads an old state. A reader of any user can keep a write from its end. A write gives up after
/// ``patience`` then, changes nothing, and can be made again. ``replace(_:)`` leaves a reader that stays alone with the
/// file that it has open.
package final class HistoryWriter {
  /// The last span in the file when the writer was made; `nil` in a new file.
  package let last: HistorySpan?

  /// Whether the file is still at its path: somebody may have removed or replaced it.
  package var isCurrent: Bool { identity != nil && identity == Files.Identity(path) }

  /// Held as long as the writer lives. Readers cannot take it.
  private let lock: Files.FileLock
  private let path: String
  private let identity: Files.Identity?
  let limits: HistoryLimits
  private let history: StoredHistory
  var database: Database { history.database }
  let hours: TotalsTable
  private let days: TotalsTable
  private let lifetime: TotalsTable
  private let spanInsertion: Statement
  private let presentUpdate: Statement
  var paths: [RecordedPath: Int64] = [:]
  var names: [String: Int64] = [:]
  /// The microseconds since boot at which old spans and hours were last removed, or it was tried; `nil` before.
  var lastRemoval: Int64?

  /// Opens the file, and makes it if there is none. A span that was the present one when its recorder ended is ended
  /// where its mark says.
  ///
  /// - Parameters:
  ///   - isDurable: Whether each change waits for the disk. Only a history that is generated does without.
  /// - Throws: ``HistoryError``; `damaged` if ``setAside(_:at:)`` helps.
  package init(_ path: String, limits: HistoryLimits, isDurable: Bool = true) throws(HistoryError) {
    lock = try Self.lock(path)
    let database: Database
    do throws(HistoryError) {
      database = try Self.open(path, isDurable: isDurable)
    } catch  where error.code == .damaged && !Self.isHistory(path) {
      throw HistoryError(
        .other, message: "\(path) is no history of the network path", advice: "Choose another file.")
    }
    self.path = path
    identity = Files.Identity(path)
    self.limits = limits
    history = try StoredHistory(database)
    hours = try TotalsTable(database, TotalsTable.hours)
    days = try TotalsTable(database, TotalsTable.days)
    lifetime = try TotalsTable(database, TotalsTable.lifetime)
    spanInsertion = try database.prepare(
      "INSERT INTO span VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
    presentUpdate = try database.prepare("UPDATE present SET number = ?1")
    last = try history.last()
    if let present = try history.present() { try write([present], nil) {} }
    try shrink()
  }

  /// How long a write waits for readers, in milliseconds.
  private static let patience: Int32 = 50

  private static func open(_ path: String, isDurable: Bool) throws(HistoryError) -> Database {
    let database = try Database(path, .writing)
    database.setBusyTimeout(milliseconds: patience)
    // Nothing is written to a file that is not ours, or is damaged.
    if try HistorySchema.checkedVersion(of: database) == 0 {
      // The mark of a history that somebody has removed is about a span of another one.
      Files.remove(HistoryMark.path(of: path))
      try database.execute("PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    } else {
      try check(database)
    }
    // Without cache_spill, a transaction takes the lock that a reader can withhold at its end alone.
    try database.execute(
      """
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = \(isDurable ? "FULL" : "OFF"); PRAGMA cache_size = -512;
      PRAGMA cache_spill = OFF; PRAGMA trusted_schema = OFF
      """)
    try HistorySchema.migrate(database)
    return database
  }

  /// Whether a file is, or was, a history: its head says so, or the mark beside it.
  private static func isHistory(_ path: String) -> Bool {
    if HistoryMark(HistoryMark.path(of: path)) != nil { return true }
    let head = ((try? Files.read(path, limit: 72)) ?? []).prefix(72)
    return head.count == 72 && head.starts(with: "SQLite format 3\0".utf8)
      && head.suffix(4).reduce(0) { $0 << 8 | Int64($1) } == HistorySchema.application
  }

  static let pageSize: Int64 = 4_096

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

  /// Puts a copy in the place of a history that readers have locked, so that the next writer can write. The readers
  /// keep the former file, which has no name any more. No writer may be open.
  package static func replace(_ path: String) throws(HistoryError) {
    let held = try lock(path)
    let copy = "\(path)-copy"
    Files.remove(copy)
    do throws(HistoryError) {
      let database = try Database(path, .writing)
      database.setBusyTimeout(milliseconds: patience)
      try database.prepare("VACUUM INTO ?1").run([.text(copy)])
      do throws(SystemError) {
        // SQLite does not wait for the disk here.
        try Files.synchronize(copy)
        try Files.move(copy, to: path)
      } catch {
        throw HistoryError(.cannotWrite, message: error.description)
      }
    } catch {
      Files.remove(copy)
      throw error
    }
    _ = consume held
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

  /// Writes spans that have ended, and the present one, in one transaction. The same transaction removes spans and
  /// hours that are older than the limits.
  ///
  /// Numbers go on behind those of ``last``. The span that was the present one is replaced by the span with its
  /// number.
  package func write(_ closed: [HistorySpan], present: HistorySpan?) throws(HistoryError) {
    do throws(HistoryError) {
      let isNearLimit = try isNearLimit(0.9)
      try write(closed, present) { () throws(HistoryError) in
        if isNearLimit { try self.removeOldest(0.1) } else { try self.removeExpired(at: present ?? closed.last) }
      }
    } catch  where error.code == .cannotWrite {
      // Perhaps the file has reached its size. If the disk is full, this fails, too.
      guard try isNearLimit(0.8) else { throw error }
      try write(closed, present) { () throws(HistoryError) in try self.removeOldest(0.5) }
    }
  }

  private func write(
    _ closed: [HistorySpan], _ present: HistorySpan?, removing remove: () throws(HistoryError) -> Void
  ) throws(HistoryError) {
    // Rows that were removed or taken back have no identity any more.
    func forget() { (paths, names) = ([:], [:]) }
    do throws(HistoryError) {
      try database.transaction { () throws(HistoryError) in
        try remove()
        try database.execute("DELETE FROM span WHERE number = (SELECT number FROM present)")
        var additions = Additions()
        for span in closed {
          try insert(span)
          additions.add(span)
        }
        if let present { try insert(present) }
        try presentUpdate.run([present.map { .number($0.number) } ?? .null])
        try add(additions)
      }
    } catch {
      forget()
      throw error
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
      .number(span.duration), .number(span.boottime), .number(try identity(of: span.bootID, in: "boot")),
      .number(try identity(of: span.changed.joined(separator: " "), in: "changed")), .number(Int64(span.sequence)),
      .number(Int64(span.changes)), .number(Int64(span.outages)), .number(span.outageBefore),
    ])
  }

  // MARK: Totals

  /// The totals of some spans, by hour, by day and altogether.
  private struct Additions {
    var hours: [HistoryInstant: PathTotals] = [:]
    var days: [HistoryInstant: PathTotals] = [:]
    var all = PathTotals()

    mutating func add(_ span: HistorySpan) {
      all.add(span)
      Self.add(span, of: HistoryInstant.hour, to: &hours)
      Self.add(span, of: HistoryInstant.day, to: &days)
    }

    private static func add(_ span: HistorySpan, of length: Int64, to totals: inout [HistoryInstant: PathTotals]) {
      var start = span.start.start(of: length)
      repeat {
        totals[start, default: PathTotals()].add(span, in: start..<start.advanced(by: length))
        start = start.advanced(by: length)
      } while start < span.end
      // The outage may have begun in an earlier window, which has the length of it.
      let begin = span.start.advanced(by: -span.outageBefore).start(of: length)
      if span.isOutage, begin < span.start.start(of: length) {
        let longest = totals[begin]?.longestOutage ?? 0
        totals[begin, default: PathTotals()].longestOutage = max(longest, span.longestOutage)
      }
    }
  }

  private func add(_ additions: Additions) throws(HistoryError) {
    if additions.hours.isEmpty { return }
    let identity = { (reason: UnsatisfiedReason) throws(HistoryError) -> Int64 in
      try self.identity(of: reason.rawValue, in: "reason")
    }
    for (start, totals) in additions.hours { try hours.add(totals, at: start, identity: identity) }
    for (start, totals) in additions.days { try days.add(totals, at: start, identity: identity) }
    try lifetime.add(additions.all, at: HistoryInstant(microseconds: 0), identity: identity)
  }
}

/// The tables of the file, and their versions. docs/recorder.md describes them.
enum HistorySchema {
  /// The number by which file(1) and we recognize the file: "Path".
  static let application: Int64 = 0x5061_7468
  /// The version of the tables that this program writes.
  static var version: Int64 { Int64(steps.count) }

  /// Each step turns the version of its position into the next. Version 0 is an empty file. A step is never changed
  /// once it was released.
  private static let steps = [
    """
    CREATE TABLE boot (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE changed (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
    CREATE TABLE reason (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE path (
      id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT, interface TEXT,
      interface_type TEXT, gateway TEXT, network_name TEXT, expensive INTEGER NOT NULL, constrained INTEGER NOT NULL,
      json TEXT NOT NULL);
    CREATE INDEX path_hash ON path (hash);
    CREATE TABLE span (
      number INTEGER PRIMARY KEY, state INTEGER NOT NULL, path INTEGER REFERENCES path, start INTEGER NOT NULL,
      duration INTEGER NOT NULL, boottime INTEGER, boot INTEGER NOT NULL REFERENCES boot,
      changed INTEGER NOT NULL REFERENCES changed, sequence INTEGER NOT NULL, changes INTEGER NOT NULL,
      outages INTEGER NOT NULL, outage_before INTEGER NOT NULL, longest_folded INTEGER);
    CREATE TABLE present (only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER REFERENCES span);
    INSERT INTO present VALUES (1, NULL);
    """ + TotalsTable.names.map(totals).joined(), gapsWithoutRows,
  ]

  private static func totals(_ table: String) -> String {
    """
    CREATE TABLE \(table) (
      start INTEGER PRIMARY KEY, satisfied INTEGER NOT NULL, suspended INTEGER NOT NULL, not_watched INTEGER NOT NULL,
      unknown INTEGER NOT NULL, expensive INTEGER NOT NULL, constrained INTEGER NOT NULL, changes INTEGER NOT NULL,
      outages INTEGER NOT NULL, longest_outage INTEGER NOT NULL);
    CREATE TABLE \(table)_reason (
      start INTEGER NOT NULL, reason INTEGER NOT NULL REFERENCES reason, unsatisfied INTEGER NOT NULL,
      PRIMARY KEY (start, reason)) WITHOUT ROWID;
    """
  }

  /// Version 2: time that was not watched has no rows, a span has one state, and the file says what was removed of it.
  private static let gapsWithoutRows =
    """
    ALTER TABLE present ADD COLUMN spans_since INTEGER;
    ALTER TABLE present ADD COLUMN hours_since INTEGER;
    UPDATE present SET spans_since = (SELECT start FROM span ORDER BY number LIMIT 1)
      WHERE (SELECT min(number) FROM span) > 1;
    UPDATE present SET hours_since = (SELECT min(start) / 86400000000 * 86400000000 FROM hour)
      WHERE (SELECT min(start) / 86400000000 * 86400000000 FROM hour) > (SELECT min(start) FROM day);
    DELETE FROM span WHERE state = 2 OR longest_folded IS NOT NULL;
    UPDATE present SET number = NULL WHERE number NOT IN (SELECT number FROM span);
    ALTER TABLE span DROP COLUMN longest_folded;
    """
    + TotalsTable.names.map { table in
      """
      DELETE FROM \(table) WHERE satisfied + suspended + unknown + changes + outages = 0
        AND start NOT IN (SELECT start FROM \(table)_reason);
      ALTER TABLE \(table) DROP COLUMN not_watched;
      """
    }.joined()

  /// The version of the file.
  ///
  /// - Throws: `damaged` if it has more than tables, such as a view without an end; `other` if it is another program's
  ///   database; `laterVersion` if a later version of this program has written it.
  static func checkedVersion(of database: Database) throws(HistoryError) -> Int64 {
    let found = try database.number("PRAGMA user_version") ?? 0
    let application = try database.number("PRAGMA application_id") ?? 0
    if found == 0, application == 0, try database.number("SELECT count(*) FROM sqlite_schema") == 0 { return 0 }
    guard application == Self.application, found > 0 else {
      throw HistoryError(
        .other, message: "\(database.path) is a database, but no history of the network path",
        advice: "Choose another file.")
    }
    guard found <= version else {
      throw HistoryError(
        .laterVersion,
        message: """
          \(database.path) has version \(found) of its tables, and this program knows versions up to \(version)
          """, advice: "Install the version of PathMonitor that wrote it, or move the file away.")
    }
    // Tables and indexes have pages of their own. Views, triggers and virtual tables, which run code, have none.
    guard try database.number("SELECT count(*) FROM sqlite_schema WHERE coalesce(rootpage, 0) <= 0") == 0 else {
      throw HistoryError(.damaged, message: "\(database.path) is damaged: it has more than tables")
    }
    return found
  }

  /// Brings the file to the version of this program.
  static func migrate(_ database: Database) throws(HistoryError) {
    var found = try checkedVersion(of: database)
    while found < version {
      let step = steps[Int(found)]
      try database.transaction { () throws(HistoryError) in
        try database.execute(step)
        try database.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(found + 1)")
      }
      found += 1
    }
  }
}

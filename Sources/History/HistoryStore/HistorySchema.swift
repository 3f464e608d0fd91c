internal import PathHistory

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
    """ + HistorySums.tables.map(sums).joined()
  ]

  private static func sums(_ table: String) -> String {
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

  /// The version of the file.
  ///
  /// - Throws: An error with the code `damaged` if the file is another program's database, and `laterVersion` if a
  ///   later version of this program has written it.
  static func checkedVersion(of database: Database) throws(HistoryError) -> Int64 {
    let found = try database.number("PRAGMA user_version") ?? 0
    let application = try database.number("PRAGMA application_id") ?? 0
    if found == 0, application == 0, try database.number("SELECT count(*) FROM sqlite_schema") == 0 { return 0 }
    guard application == Self.application, found > 0 else {
      throw HistoryError(.damaged, message: "\(database.path) is a database, but no history of the network path")
    }
    guard found <= version else {
      throw HistoryError(
        .laterVersion,
        message: """
          \(database.path) has version \(found) of its tables, and this program knows versions up to \(version)
          """, advice: "Install the version of PathMonitor that wrote it, or move the file away.")
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

internal import CSQLite
internal import SystemIO

/// A connection to an SQLite database, for one thread.
@safe final class Database {
  /// The rights of a connection.
  enum Access {
    case reading
    /// Reading and writing; the file is made if it does not exist.
    case writing
  }

  fileprivate let handle: OpaquePointer
  let path: String
  /// The sum of the amounts that were read.
  private var amounts: Int64 = 0

  /// Opens the file. A FIFO would hold the process, and a device would be written to.
  init(_ path: String, _ access: Access) throws(HistoryError) {
    if Files.isIrregular(path) { throw HistoryError(.other, message: "\(path) is not a regular file") }
    var handle: OpaquePointer?
    let flags =
      access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
    let result = unsafe sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle = unsafe handle else { throw HistoryError(.other, message: "cannot open \(path): out of memory") }
    guard result == SQLITE_OK else {
      let error = Self.error(unsafe sqlite3_extended_errcode(handle), "open \(path)", unsafe Self.words(of: handle))
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = handle
    self.path = path
    unsafe sqlite3_extended_result_codes(handle, 1)
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// How long a statement waits for a lock of another connection.
  func setBusyTimeout(milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

  /// Executes statements without results.
  func execute(_ text: String) throws(HistoryError) {
    try check(unsafe sqlite3_exec(handle, text, nil, nil, nil), "use")
  }

  /// A prepared statement.
  func prepare(_ text: String) throws(HistoryError) -> Statement {
    var statement: OpaquePointer?
    try check(unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), "read")
    guard let statement = unsafe statement else {
      throw HistoryError(.other, message: "cannot use \(path): the statement is empty")
    }
    return unsafe Statement(statement, of: self)
  }

  /// Adds an amount that was read to all that were. Counts and microseconds stay below 2^56 in sum, so that no sum of
  /// them overflows.
  fileprivate func note(_ amount: Int64) throws(HistoryError) {
    guard (0...Self.limit).contains(amount), amounts + amount <= Self.limit else { throw damage(amount) }
    amounts += amount
  }

  /// The greatest amount and the latest moment in a history: 2,283 years in microseconds.
  fileprivate static let limit: Int64 = 1 << 56

  /// The error for a number that no history has.
  fileprivate func damage(_ number: Int64) -> HistoryError {
    HistoryError(.damaged, message: "\(path) is damaged: it has the number \(number)")
  }

  /// The number in the first column of the first row.
  func number(_ text: String) throws(HistoryError) -> Int64? {
    let statement = try prepare(text)
    return try statement.step() ? statement.optional(0) : nil
  }

  /// The moment in the first column of the first row; `nil` for null, and without a row.
  func instant(_ text: String) throws(HistoryError) -> HistoryInstant? {
    let statement = try prepare(text)
    return try statement.step() ? try statement.instant(0) : nil
  }

  /// Executes a body in a transaction that no other connection can read in part. An error takes everything back.
  func transaction<Result>(_ body: () throws(HistoryError) -> Result) throws(HistoryError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(HistoryError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has ended the transaction itself after some errors.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The identity of the row that was inserted last.
  var insertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  fileprivate func check(_ result: Int32, _ attempt: String) throws(HistoryError) {
    guard result == SQLITE_OK else { throw error(result, attempt) }
  }

  fileprivate func error(_ result: Int32, _ attempt: String) -> HistoryError {
    Self.error(result, "\(attempt) \(path)", unsafe Self.words(of: handle))
  }

  private static func words(of handle: OpaquePointer) -> String {
    unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "unknown failure"
  }

  private static func error(_ result: Int32, _ attempt: String, _ words: String) -> HistoryError {
    let message = "cannot \(attempt): \(words)"
    switch (result & 0xff, result) {
    // Our statements are right for the tables of a history, so an error in one is an error in the tables.
    case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _), (SQLITE_ERROR, _), (SQLITE_CONSTRAINT, _), (SQLITE_MISMATCH, _):
      return HistoryError(.damaged, message: message)
    case (_, SQLITE_READONLY | (3 << 8)), (_, SQLITE_BUSY | (1 << 8)):
      return HistoryError(
        .busy,
        message: "cannot \(attempt): its writer was interrupted, and only a writer can take back the last change",
        advice: "Start pathmonitor-history.service.")
    case (SQLITE_BUSY, _), (SQLITE_LOCKED, _): return HistoryError(.busy, message: message)
    case (SQLITE_PERM, _), (SQLITE_AUTH, _): return HistoryError(.permissionDenied, message: message)
    case (SQLITE_FULL, _), (SQLITE_READONLY, _), (SQLITE_IOERR, _), (SQLITE_CANTOPEN, _):
      return HistoryError(.cannotWrite, message: message)
    default: return HistoryError(.other, message: message)
    }
  }
}

/// A prepared statement of a database. Columns count from 0, parameters are bound in their order.
@safe final class Statement {
  private let statement: OpaquePointer
  private let database: Database
  private var isFresh = true

  fileprivate init(_ statement: OpaquePointer, of database: Database) {
    unsafe self.statement = statement
    self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(statement)
  }

  /// A value for a parameter.
  enum Value {
    case number(Int64)
    case text(String)
    case null
  }

  /// Begins the statement anew with these values.
  func bind(_ values: [Value]) throws(HistoryError) {
    reset()
    for (position, value) in values.enumerated() {
      let result =
        switch value {
        case .number(let number): unsafe sqlite3_bind_int64(statement, Int32(position + 1), number)
        case .text(var text):
          text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
              unsafe csqlite_bind_text(statement, Int32(position + 1), characters.baseAddress, Int32(characters.count))
            }
          }
        case .null: unsafe sqlite3_bind_null(statement, Int32(position + 1))
        }
      try database.check(result, "use")
    }
  }

  /// Begins the statement anew with these numbers.
  func bind(_ numbers: Int64...) throws(HistoryError) {
    reset()
    for (position, number) in numbers.enumerated() {
      try database.check(unsafe sqlite3_bind_int64(statement, Int32(position + 1), number), "use")
    }
  }

  private func reset() {
    if !isFresh { unsafe sqlite3_reset(statement) }
    isFresh = true
  }

  /// Goes to the next row. Returns whether there is one; after the last, the statement holds no lock.
  func step() throws(HistoryError) -> Bool {
    isFresh = false
    let result = unsafe sqlite3_step(statement)
    if result == SQLITE_ROW { return true }
    reset()
    guard result == SQLITE_DONE else { throw database.error(result, "use") }
    return false
  }

  /// Executes a statement without rows, with these values.
  func run(_ values: [Value]) throws(HistoryError) {
    try bind(values)
    while try step() {}
  }

  /// Ends the statement before its last row, so that it holds no lock.
  func end() { reset() }

  /// The count or the microseconds in a column; 0 for null.
  ///
  /// - Throws: `damaged` for a number that no history has.
  func amount(_ column: Int32) throws(HistoryError) -> Int64 {
    let amount = number(column)
    try database.note(amount)
    return amount
  }

  /// The moment in a column; `nil` for null.
  ///
  /// - Throws: `damaged` for a moment that no clock shows.
  func instant(_ column: Int32) throws(HistoryError) -> HistoryInstant? {
    guard let microseconds = optional(column) else { return nil }
    guard microseconds.magnitude <= UInt64(Database.limit) else { throw database.damage(microseconds) }
    return HistoryInstant(microseconds: microseconds)
  }

  /// The number of a row in a column; 0 for null.
  ///
  /// - Throws: `damaged` for a number that no history has.
  func identity(_ column: Int32) throws(HistoryError) -> Int64 {
    let number = number(column)
    guard (0...Database.limit).contains(number) else { throw database.damage(number) }
    return number
  }

  /// The number in a column, whatever it is; 0 for null.
  func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

  /// The number in a column, whatever it is; `nil` for null.
  func optional(_ column: Int32) -> Int64? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : number(column)
  }

  /// The text in a column; empty for null.
  func text(_ column: Int32) -> String {
    guard let text = unsafe sqlite3_column_text(statement, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

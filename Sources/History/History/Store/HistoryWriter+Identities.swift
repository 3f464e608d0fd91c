internal import PathModel

/// The rows of what spans share: paths, boots and names. A row is looked up once, and remembered until rows are removed
/// or taken back.
extension HistoryWriter {
  func identity(of path: RecordedPath) throws(HistoryError) -> Int64 {
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

  func identity(of name: String, in table: String) throws(HistoryError) -> Int64 {
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
}

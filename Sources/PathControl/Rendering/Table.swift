/// A table with aligned columns.
struct Table {
  private var rows: [[String]]

  init(header: [String]) {
    rows = [header]
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// The lines, the header dimmed. Empty columns are left out.
  func lines(_ style: Style) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let filled = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
    return rows.enumerated().map { number, row in
      var line = filled.map { column in
        column == filled.last
          ? row[column] : row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return number == 0 ? style.dim(line) : line
    }
  }
}

internal import PathModel

/// A table with aligned columns.
package struct Table {
  private var rows: [[String]]
  private let indentation: String

  /// A table without rows.
  package init(header: [String], indentation: String = "") {
    rows = [header]
    self.indentation = indentation
  }

  /// Adds a row with a text for each column.
  package mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// The lines, the header dimmed. Empty columns are left out. If the lines do not fit the width of the style, each row
  /// becomes a block with a line for each of its values.
  package func lines(_ style: Style) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { LineFolding.columns(of: $0[column]) }.max() ?? 0 }
    let filled = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
    let lines = rows.map { row in
      var line = filled.map { column in
        column == filled.last ? row[column] : LineFolding.padded(row[column], to: widths[column])
      }.joined(separator: "  ")
      while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
      return indentation + line
    }
    if let width = style.width, lines.contains(where: { LineFolding.columns(of: $0) > width }) {
      return blocks(filled, style, width)
    }
    return lines.enumerated().map { $0 == 0 ? style.dim($1) : $1 }
  }

  /// The rows as blocks, with an empty line between them: each value behind the name of its column.
  private func blocks(_ columns: [Int], _ style: Style, _ width: Int) -> [String] {
    let names = rows[0]
    let widest = columns.map { LineFolding.columns(of: names[$0]) }.max() ?? 0
    let room = width - indentation.utf8.count - widest - 2
    let blocks = rows.dropFirst().map { row in
      columns.filter { !row[$0].isEmpty }.flatMap { column in
        LineFolding.fold(row[column], to: room).enumerated().map { index, text in
          let name = index == 0 ? names[column] : ""
          let label = LineFolding.padded(style.dim(name), to: widest + 2)
          return "\(indentation)\(label)\(Substring(text.unicodeScalars.drop { $0 == " " }))"
        }
      }
    }
    return Array(blocks.joined(separator: [""]))
  }
}

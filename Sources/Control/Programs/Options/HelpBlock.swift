/// A piece of the help of a program, without layout. Terminals and manual pages have layouts of their own.
package enum HelpBlock: Hashable, Sendable {
  /// A paragraph.
  case text(String)
  /// A paragraph that is set apart, such as a list of words.
  case apart(String)
  /// A term and its meaning.
  case item(term: String, text: String)

  /// The terms and sentences of the piece.
  package var texts: [String] {
    switch self {
    case .text(let text), .apart(let text): [text]
    case .item(let term, let text): [term, text]
    }
  }
}

/// The layout of help on a terminal.
package enum HelpLayout {
  /// The greatest width of a line, in columns.
  private static let width = 100
  /// The greatest width of a term, in columns, if the meanings stand in a column beside the terms.
  private static let widestTerm = 20

  /// The pieces as lines, each with its newline.
  package static func text(_ blocks: [HelpBlock]) -> String {
    var lines: [String] = []
    for (index, block) in blocks.enumerated() {
      switch block {
      case .text(let text): lines += filled(text, first: "", rest: "")
      case .apart(let text): lines += filled(text, first: "  ", rest: "  ")
      case .item(let term, let text):
        let column = column(of: items(around: index, in: blocks))
        let padding = String(repeating: " ", count: max(0, column - term.count))
        lines += filled(text, first: "  \(term)\(padding)  ", rest: String(repeating: " ", count: 4 + column))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The terms of the items directly around the index, with the one at the index among them.
  private static func items(around index: Int, in blocks: [HelpBlock]) -> [String] {
    func term(_ block: HelpBlock) -> String? {
      guard case .item(let term, _) = block else { return nil }
      return term
    }
    let before = blocks[..<index].reversed().prefix { term($0) != nil }
    let behind = blocks[index...].prefix { term($0) != nil }
    return (before + behind).compactMap(term)
  }

  /// The width of the column of the terms. If one of them is too long, the meanings follow their terms directly, with a
  /// small indent in the next lines.
  private static func column(of terms: [String]) -> Int {
    let widest = terms.map(\.count).max() ?? 0
    return widest <= widestTerm ? widest : 2
  }

  /// The text as lines. The first begins with `first`, all others begin with `rest`.
  private static func filled(_ text: String, first: String, rest: String) -> [String] {
    var lines = [first]
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, lines[lines.count - 1].count + 1 + word.count > width {
        lines.append(rest)
        isEmpty = true
      }
      lines[lines.count - 1] += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines
  }
}

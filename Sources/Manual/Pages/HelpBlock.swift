/// A piece of the text that the help of a program shows.
///
/// The help is laid out for a terminal. A manual page is filled to whatever width its reader has, so what the layout
/// says must be known: lines without indentation are prose; an indented one begins with a term, two spaces, and what it
/// means, and one that is indented further goes on with that; without two spaces it is set apart. What is said of the exit status is a paragraph of its own.
package enum HelpBlock: Hashable, Sendable {
  /// Prose.
  case text(String)
  /// What is set apart from the prose.
  case apart(String)
  /// A term and what it means.
  case item(term: String, text: String)

  /// The pieces of a text.
  package static func blocks(of text: String) -> [HelpBlock] {
    var blocks: [HelpBlock] = []
    for line in text.split(separator: "\n") {
      let words = line.drop { $0 == " " }
      let isIndented = words.startIndex > line.startIndex
      let isContinued = line.hasPrefix("    ")
      switch blocks.last {
      case .text(let before) where !isIndented && !line.hasPrefix("Exit status"):
        blocks[blocks.count - 1] = .text(before + " " + words)
      case .apart(let before) where isIndented && !words.contains("  "):
        blocks[blocks.count - 1] = .apart(before + " " + words)
      case .item(let term, let before) where isContinued:
        blocks[blocks.count - 1] = .item(term: term, text: before + " " + words)
      default: blocks.append(isIndented ? item(words) : .text(String(words)))
      }
    }
    return blocks
  }

  private static func item(_ line: Substring) -> HelpBlock {
    guard let gap = line.firstRange(of: "  ") else { return .apart(String(line)) }
    return .item(term: String(line[..<gap.lowerBound]), text: String(line[gap.upperBound...].drop { $0 == " " }))
  }
}

/// Folds lines that are wider than the terminal, which would break them anywhere.
package enum LineFolding {
  /// The width of a text in columns, where escape sequences take none.
  package static func columns(of text: some StringProtocol) -> Int {
    var columns = 0
    var isEscape = false
    for character in text {
      if character == "\u{1b}" { isEscape = true }
      if !isEscape { columns += 1 }
      if isEscape, character.isLetter { isEscape = false }
    }
    return columns
  }

  /// The line as several that fit the width. A line whose parts stand apart by two spaces is folded between these
  /// parts if each fits; else it is folded at any space. The new lines are indented as the first, and by two columns
  /// more where a part was folded. Behind a headline these are four: what belongs to it is indented by two. A word that
  /// does not fit stays whole.
  package static func fold(_ line: String, to width: Int?) -> [String] {
    guard let width, columns(of: line) > width else { return [line] }
    let indentation = String(line.prefix { $0 == " " })
    let text = line.dropFirst(indentation.count)
    let parts = self.parts(of: text)
    if parts.count > 2, parts.allSatisfy({ indentation.count + columns(of: $0) <= width }) {
      return filled(parts, between: "  ", first: indentation, rest: indentation, width)
    }
    let rest = indentation.isEmpty ? "    " : indentation + "  "
    return filled(
      text.split(separator: " ", omittingEmptySubsequences: false), between: " ", first: indentation, rest: rest, width)
  }

  /// The parts of a text between gaps of two spaces or more.
  private static func parts(of text: Substring) -> [Substring] {
    text.split(separator: "  ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  private static func filled(
    _ words: [Substring], between gap: String, first: String, rest: String, _ width: Int
  ) -> [String] {
    var lines = [first]
    var isEmpty = true
    // An empty word stands for a wider gap.
    var space = ""
    for word in words {
      if word.isEmpty {
        space += gap
        continue
      }
      if !isEmpty, columns(of: lines[lines.count - 1]) + space.count + columns(of: word) > width {
        lines.append(rest)
        isEmpty = true
      }
      lines[lines.count - 1] += (isEmpty ? "" : space) + word
      isEmpty = false
      space = gap
    }
    return lines
  }
}

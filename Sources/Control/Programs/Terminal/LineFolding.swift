/// Folds lines that are wider than the terminal, which would break them anywhere.
package enum LineFolding {
  /// The width of a text in columns, where escape sequences and combining marks take none.
  package static func columns(of text: some StringProtocol) -> Int {
    var columns = 0
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1b}" { isEscape = true }
      if !isEscape { columns += width(of: scalar) }
      if isEscape, endsEscape(scalar) { isEscape = false }
    }
    return columns
  }

  /// The beginning of a text that fits the width, with all of its escape sequences.
  package static func cut(_ text: String, to width: Int) -> String {
    var columns = 0
    var isEscape = false
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{1b}" { isEscape = true }
      if !isEscape { columns += self.width(of: scalar) }
      if isEscape || columns <= width { kept.append(scalar) }
      if isEscape, endsEscape(scalar) { isEscape = false }
    }
    return String(kept)
  }

  /// The text with spaces behind it, up to the width.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    default: 1
    }
  }

  /// Whether a scalar ends an escape sequence. Ours all end with a letter.
  private static func endsEscape(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  /// The line as several that fit the width. A line whose parts stand apart by two spaces is folded between these
  /// parts if each fits; else it is folded at any space. The new lines are indented as the first, and by two columns
  /// more where a part was folded. Behind a headline these are four: what belongs to it is indented by two. A word that
  /// does not fit stays whole.
  package static func fold(_ line: String, to width: Int?) -> [String] {
    guard let width, columns(of: line) > width else { return [line] }
    let scalars = line.unicodeScalars.drop { $0 == " " }
    let indentation = String(line.unicodeScalars[..<scalars.startIndex])
    let parts = self.parts(of: scalars)
    if parts.count > 2, parts.allSatisfy({ indentation.utf8.count + columns(of: $0) <= width }) {
      return filled(parts, between: "  ", first: indentation, rest: indentation, width)
    }
    let rest = indentation.isEmpty ? "    " : indentation + "  "
    return filled(
      scalars.split(separator: " ", omittingEmptySubsequences: false).map(Substring.init), first: indentation,
      rest: rest, width)
  }

  /// The parts of a text between gaps of two spaces or more.
  private static func parts(of scalars: Substring.UnicodeScalarView) -> [Substring] {
    scalars.split(separator: "  ".unicodeScalars).map { Substring($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// The words in lines that fit the width, unless a word is longer than that. The first line begins with `first`, and
  /// each other one with `rest`. An empty word stands for a wider gap.
  package static func filled(
    _ words: [Substring], between gap: String = " ", first: String, rest: String, _ width: Int
  ) -> [String] {
    var lines = [first]
    var isEmpty = true
    var space = ""
    for word in words {
      if word.isEmpty {
        space += gap
        continue
      }
      if !isEmpty, columns(of: lines[lines.count - 1]) + space.utf8.count + columns(of: word) > width {
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

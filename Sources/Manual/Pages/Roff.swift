/// Text in the language of man(7).
package enum Roff {
  /// The text with an escape for every character that roff would interpret.
  ///
  /// A dash stays the typed character and does not become a hyphen, so that commands copied from the page work.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result
  }

  /// A line of its own, shown as it is.
  package static func literal(_ text: String) -> String { guarded(escaped(text)) }

  /// A line of prose with options and other pages in bold, and placeholders in italics.
  package static func line(_ text: String, _ placeholders: Set<String>) -> String {
    guarded(marked(text, placeholders))
  }

  /// A line of a command: bold, except for placeholders and for the characters between words.
  static func term(_ text: String, _ placeholders: Set<String>) -> String {
    guarded(
      pieces(of: text).map { piece in
        if placeholders.contains(piece) { return italic(piece) }
        return piece.contains { $0.isLetter || $0.isNumber || $0 == "-" } ? bold(piece) : escaped(piece)
      }.joined())
  }

  /// Prose with options and other pages in bold, and placeholders in italics.
  static func marked(_ text: String, _ placeholders: Set<String>) -> String {
    let pieces = pieces(of: text)
    return pieces.indices.map { index in
      let piece = pieces[index]
      if placeholders.contains(piece) { return italic(piece) }
      let isOption = piece.hasPrefix("-") && piece.contains { $0.isLetter }
      return isOption || isFollowedBySection(pieces[index...]) ? bold(piece) : escaped(piece)
    }.joined()
  }

  /// Whether the first piece is the name of a page: the section stands behind it, as in `systemd.time(7)`.
  private static func isFollowedBySection(_ pieces: ArraySlice<String>) -> Bool {
    let behind = Array(pieces.dropFirst().prefix(3))
    return behind.count == 3 && behind[0] == "(" && (1...8).contains(Int(behind[1]) ?? 0) && behind[2] == ")"
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// A line that does not begin with a control character.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
  }

  /// The text in pieces: words, options and names of files in one, every other character alone.
  private static func pieces(of text: String) -> [String] {
    let characters = Array(text)
    var pieces: [String] = []
    var isInWord = false
    for (index, character) in characters.enumerated() {
      // A full stop belongs to a word if a letter follows it.
      let goesOn = index + 1 < characters.count && characters[index + 1].isLetter
      let isOfWord =
        character.isLetter || character.isNumber || "-_/$@".contains(character) || (character == "." && goesOn)
      if isInWord, isOfWord {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      isInWord = isOfWord
    }
    return pieces
  }
}

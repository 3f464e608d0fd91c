internal import PathModel

/// Text in the language of man(7).
package enum Roff {
  /// A line of its own, shown as it is.
  package static func literal(_ text: String) -> String { guarded(text.inRoff) }

  /// A line of prose with options and other pages in bold, and placeholders in italics.
  package static func line(_ text: String, _ placeholders: Set<String>) -> String {
    guarded(marked(text, placeholders))
  }

  /// A line of a command: bold, except for placeholders and for the characters between words.
  static func term(_ text: String, _ placeholders: Set<String>) -> String {
    guarded(
      pieces(of: text).map { piece in
        if placeholders.contains(piece) { return italic(piece) }
        return piece.unicodeScalars.contains { $0.isOfWord } ? bold(piece) : piece.inRoff
      }.joined())
  }

  /// Prose with options and other pages in bold, and placeholders in italics.
  static func marked(_ text: String, _ placeholders: Set<String>) -> String {
    let pieces = pieces(of: text)
    return pieces.indices.map { index in
      let piece = pieces[index]
      if placeholders.contains(piece) { return italic(piece) }
      let isOption =
        piece.utf8.first == UInt8(ascii: "-") && piece.unicodeScalars.contains { $0.properties.isAlphabetic }
      return isOption || isFollowedBySection(pieces[index...]) ? bold(piece) : piece.inRoff
    }.joined()
  }

  /// Whether the first piece is the name of a page: the section stands behind it, as in `systemd.time(7)`.
  private static func isFollowedBySection(_ pieces: ArraySlice<String>) -> Bool {
    let behind = Array(pieces.dropFirst().prefix(3))
    return behind.count == 3 && behind[0] == "(" && (1...8).contains(Int(behind[1]) ?? 0) && behind[2] == ")"
  }

  private static func bold(_ text: String) -> String { "\\fB\(text.inRoff)\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(text.inRoff)\\fR" }

  /// A line that does not begin with a control character.
  private static func guarded(_ line: String) -> String {
    line.utf8.first == UInt8(ascii: ".") || line.utf8.starts(with: "\\(aq".utf8) ? "\\&" + line : line
  }

  /// The text in pieces: words, options and names of files in one, every other scalar alone.
  private static func pieces(of text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    var pieces: [String] = []
    var isInWord = false
    for (index, scalar) in scalars.enumerated() {
      // A full stop belongs to a word if a letter follows it.
      let goesOn = index + 1 < scalars.count && scalars[index + 1].properties.isAlphabetic
      let isOfWord = scalar.isOfWord || "_/$@".unicodeScalars.contains(scalar) || (scalar == "." && goesOn)
      if isInWord, isOfWord {
        pieces[pieces.count - 1].unicodeScalars.append(scalar)
      } else {
        pieces.append(String(scalar))
      }
      isInWord = isOfWord
    }
    return pieces
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a letter, a digit or a dash.
  fileprivate var isOfWord: Bool { properties.isAlphabetic || properties.numericType != nil || self == "-" }
}

// Every escape replaces scalars, and none replaces characters. A character of Swift is a grapheme. A sign with a
// meaning elsewhere, such as `<`, is a part of another character if a combining mark follows it, or if it stands behind
// some letters of India. A shell, a browser and a spreadsheet see the sign nevertheless.

extension String {
  /// The text with some of its scalars replaced.
  ///
  /// - Parameter replacement: The text in place of a scalar; `nil` for a scalar that stays.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether a scalar of the text is one of these.
  func contains(anyOf scalars: String) -> Bool {
    unicodeScalars.contains { scalars.unicodeScalars.contains($0) }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar must not appear in a text for people as it is: it garbles a terminal, begins a line or turns
  /// the order of letters around. These are control characters, separators of lines and paragraphs, and format
  /// characters, such as marks of direction.
  var garblesText: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

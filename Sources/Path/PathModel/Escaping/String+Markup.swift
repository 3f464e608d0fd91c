extension String {
  /// The text for a place between tags or within the quotation marks of an attribute, in HTML, XML and the markup of
  /// Pango, which Waybar shows.
  ///
  /// Control characters and marks of direction are escaped as on a terminal: XML forbids the former, and the latter
  /// could turn the order of letters around. XML forbids U+FFFE and U+FFFF as well.
  package var inMarkup: String {
    let text = inOneLine
    let bytes = text.utf8.span
    if bytes.indices.allSatisfy({ bytes[$0] < 0x80 && !Self.special.contains(bytes[$0]) }) { return text }
    return text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\u{FFFE}", "\u{FFFF}": scalar.escaped(asASCII: true)
      default: nil
      }
    }
  }

  private static let special = Array("&<>\"'".utf8)
}

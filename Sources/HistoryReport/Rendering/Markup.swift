internal import PathModel

extension String {
  /// The text for a place between tags or within the quotation marks of an attribute, in HTML and in XML.
  ///
  /// Control characters and marks of direction are escaped as on a terminal: XML forbids the former, and the latter
  /// could turn the order of letters around.
  package var inMarkup: String {
    let text = inOneLine
    guard text.utf8.contains(where: { Self.special.contains($0) }) else { return text }
    return text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(character)
      }
    }.joined()
  }

  private static let special = Array("&<>\"'".utf8)
}

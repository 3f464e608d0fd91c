extension String {
  /// The text as a field of a line of comma-separated values (RFC 4180) that a spreadsheet shows and does not
  /// calculate.
  ///
  /// A spreadsheet calculates a field that begins with `=`, `+`, `-` or `@`, so such a field gets an apostrophe before
  /// it. Where people write a comma in numbers, a spreadsheet may cut lines at semicolons, also within quotation marks.
  /// The part behind a semicolon is therefore treated like a field. Line breaks and tabs are escaped as on a terminal.
  package var commaSeparatedField: String {
    let safe = Self.disarmed(inOneLine)
    guard safe.contains(anyOf: ",;\"") else { return safe }
    return "\"\(safe.replacingScalars { $0 == "\"" ? "\"\"" : nil })\""
  }

  /// The text with an apostrophe before each part that would be a formula.
  private static func disarmed(_ text: String) -> String {
    let parts = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let first = part.first { !" \"".unicodeScalars.contains($0) }
      return first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } == true ? "'\(String(part))" : String(part)
    }
    return parts.joined(separator: ";")
  }
}

extension String {
  /// The text in quotation marks, as errors show text from elsewhere: cut to fit a line, and without characters that
  /// would garble a terminal.
  package var quotedInLine: String {
    let longest = 40
    let scalars = unicodeScalars
    let shown = scalars.prefix(longest).map { $0.escaped(asASCII: $0.garblesText) }
    return "'\(shown.joined())\(scalars.count > longest ? "…" : "")'"
  }

  /// The text as one line that cannot garble a terminal, forge a line or turn the order of letters around. Control
  /// characters, line and paragraph separators and format characters, such as marks of direction, become `\u{…}`.
  /// Escaping twice is the same as once.
  ///
  /// Every renderer passes texts from the kernel, a file, a service or another user through this property.
  package var inOneLine: String {
    // Nearly every text is printable ASCII.
    let bytes = utf8.span
    if bytes.indices.allSatisfy({ bytes[$0] >= 0x20 && bytes[$0] < 0x7F }) { return self }
    return replacingScalars { $0.garblesText ? $0.escaped(asASCII: true) : nil }
  }
}

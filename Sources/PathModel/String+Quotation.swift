extension String {
  /// The text in quotation marks, as errors show text from elsewhere: cut to fit a line, and without characters that
  /// would garble a terminal.
  package var quotedInLine: String {
    let longest = 40
    let scalars = unicodeScalars
    let shown = scalars.prefix(longest).map { $0.shown ?? $0.escaped(asASCII: false) }
    return "'\(shown.joined())\(scalars.count > longest ? "…" : "")'"
  }

  /// The text as one word of a shell, for commands that people copy. A name may come from anybody who can name an
  /// interface or a file.
  package var shellWord: String {
    let plain = unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "@", "%", ":", "/": true
      default: false
      }
    }
    if plain, !isEmpty, !hasPrefix("-") { return self }
    return "'" + inOneLine.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
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
    return unicodeScalars.map { $0.shown ?? String($0) }.joined()
  }

  /// The text of bytes that need not be UTF-8. If they are not, each backslash and each byte that is not ASCII becomes
  /// `\xNN`, so that different bytes stay different texts.
  package init(nameBytes bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    self = bytes.map { byte in
      if byte < 0x80, byte != UInt8(ascii: "\\") { return String(UnicodeScalar(byte)) }
      return "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension Unicode.Scalar {
  /// The escaped form of a scalar that must not appear within a line as it is; `nil` for all others.
  fileprivate var shown: String? {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: escaped(asASCII: true)
    default: nil
    }
  }
}

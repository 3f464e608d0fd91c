extension String {
  /// The text as one word of a shell, for commands that people copy: sh, bash, zsh and fish (3.4 and later) read it
  /// alike, byte by byte.
  ///
  /// A sign that shells interpret stands behind a backslash. No part of the word stands in quotation marks, because
  /// prose may have the command between such marks: whether they are copied along or not, no sign loses its backslash.
  /// A text with characters that would garble a terminal becomes a `printf` of its bytes. It loses line breaks at its
  /// end, as every command in a shell does.
  package var shellWord: String { Self.shellWord(of: self, Array(utf8)) }

  /// The name of an interface as one word of a shell. The word has the bytes of the name, also if these are no UTF-8;
  /// see ``Swift/String/init(nameBytes:)``.
  package var shellWordOfName: String {
    let bytes = nameBytes
    return Self.shellWord(of: String(validating: bytes, as: UTF8.self), bytes)
  }

  private static func shellWord(of text: String?, _ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "''" }
    guard let text, !text.unicodeScalars.contains(where: \.garblesShellWord) else { return printf(bytes) }
    // zsh replaces a word that begins with an equals sign, sh one with a tilde, and fish the word %self.
    let word = text.replacingScalars { isPlain($0) ? nil : "\\\($0)" }
    return word.utf8.first == UInt8(ascii: "%") ? "\\\(word)" : word
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "@", "%", ":", "/", ",", "+": true
    default: !scalar.isASCII
    }
  }

  /// A command that prints the bytes. Its argument has no sign that a shell interprets, even outside of the quotation
  /// marks.
  private static func printf(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII, scalar != "%", isPlain(scalar) { return String(scalar) }
      let octal = String(byte, radix: 8)
      return "\\\(String(repeating: "0", count: 3 - octal.utf8.count))\(octal)"
    }
    // A dash at the beginning would be an option of printf.
    let first = bytes[0] == UInt8(ascii: "-") ? "\\055" : digits[0]
    return "\"$(printf '\(first)\(digits.dropFirst().joined())')\""
  }
}

extension Unicode.Scalar {
  /// Whether the scalar cannot be seen in a word, or makes two of it to people: the blanks of other scripts, too.
  fileprivate var garblesShellWord: Bool {
    garblesText || !isASCII && properties.generalCategory == .spaceSeparator
  }
}

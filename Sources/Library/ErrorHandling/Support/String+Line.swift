extension String {
  /// The text as one line that cannot garble a terminal, forge a line or turn the order of letters around. Control
  /// characters, separators and format characters, such as marks of direction, become `\u{…}`.
  var inOneLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}

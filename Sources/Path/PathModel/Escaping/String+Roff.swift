extension String {
  /// The text with an escape for every sign that roff, the language of manual pages, would interpret within a line.
  ///
  /// A dash stays the typed character and does not become a hyphen, so that commands copied from the page work. Control
  /// characters are escaped as on a terminal.
  package var inRoff: String {
    inOneLine.replacingScalars { scalar in
      switch scalar {
      case "\\": "\\(rs"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      default: nil
      }
    }
  }
}

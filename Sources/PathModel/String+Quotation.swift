extension String {
  /// The text in quotation marks, as errors show what somebody else wrote: cut to what fits a line, and without what
  /// would garble a terminal.
  package var quotedInLine: String {
    let longest = 40
    let scalars = unicodeScalars
    let shown = scalars.prefix(longest).map { $0.shown ?? $0.escaped(asASCII: false) }
    return "'\(shown.joined())\(scalars.count > longest ? "…" : "")'"
  }

  /// The text as one line, without what would garble a terminal.
  package var inOneLine: String {
    unicodeScalars.map { $0.shown ?? String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// What stands for it within a line when it cannot be shown as it is; else `nil`.
  fileprivate var shown: String? {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: escaped(asASCII: true)
    default: nil
    }
  }
}

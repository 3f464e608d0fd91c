import CCurses

extension String {
  /// The text without control sequences for a terminal: control characters become visible marks, and marks that reverse
  /// the direction of writing are left out. Line feeds stay.
  var safeForTerminal: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.properties.isBidiControl {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n": text.append(scalar)
      case .control where scalar == "\t": text.append(" ")
      case .control where scalar == "\r": continue
      case .lineSeparator, .paragraphSeparator: text.append("\n")
      case .control, .surrogate, .privateUse, .unassigned: text.append("\u{fffd}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// The number of columns of a terminal that the text takes.
  var columns: Int {
    reduce(0) { $0 + $1.columns }
  }

  /// The beginning of the text that fits, with an ellipsis if something is missing.
  func cut(toColumns limit: Int) -> String {
    if columns <= limit { return self }
    var (text, used) = ("", 1)
    for character in self {
      used += character.columns
      guard used <= limit else { break }
      text.append(character)
    }
    return limit > 0 ? text + "…" : ""
  }

  /// The text in lines of at most `limit` columns, broken between words where possible.
  func wrapped(toColumns limit: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines = [""]
      for word in paragraph.split(separator: " ") {
        if !lines[lines.count - 1].isEmpty {
          if lines[lines.count - 1].columns + 1 + String(word).columns <= limit {
            lines[lines.count - 1] += " " + word
            continue
          }
          lines.append("")
        }
        for character in word {
          let line = lines[lines.count - 1]
          if !line.isEmpty, line.columns + character.columns > limit { lines.append("") }
          lines[lines.count - 1].append(character)
        }
      }
      return lines
    }
  }
}

extension Character {
  /// The number of columns of a terminal that the character takes, from the C library.
  fileprivate var columns: Int {
    unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t(bitPattern: $1.value)))) }
  }
}

internal import Programs

/// The line on a terminal that says what a verb waits for.
package struct WaitingLine: Hashable, Sendable {
  /// Whether the terminal can draw over a line; if not, each text is a line of its own.
  private let isInPlace: Bool
  private var shown: String?

  /// No line yet.
  package init(isInPlace: Bool) {
    self.isInPlace = isInPlace
  }

  /// The text to write for a line, cut to the width of the terminal; empty if the line is there already.
  package mutating func show(_ text: String, width: Int?) -> String {
    guard isInPlace else {
      defer { shown = text }
      return text == shown ? "" : "\(text)\n"
    }
    // A line that fills the last column would wrap on some terminals.
    let line = width.map { Self.cut(text, to: max(0, $0 - 1)) } ?? text
    if line == shown { return "" }
    shown = line
    return "\r\(line)\u{1b}[K"
  }

  /// The text as far as it fits: without what stands behind a colon, else its first words and three dots.
  private static func cut(_ text: String, to width: Int) -> String {
    guard LineFolding.columns(of: text) > width else { return text }
    let scalars = text.unicodeScalars
    let start = LineFolding.cut(text, to: width).unicodeScalars.count
    let colon = scalars.prefix(start + 1).indices.last { scalars[$0...].starts(with: ": ".unicodeScalars) }
    if let colon { return String(scalars[..<colon]) }
    let dots = "..."
    var kept = scalars.prefix(max(0, start - dots.utf8.count))
    if scalars[kept.endIndex...].first != " ", let space = kept.lastIndex(of: " ") { kept = kept[..<space] }
    while let last = kept.last, " ,;".unicodeScalars.contains(last) { kept.removeLast() }
    return LineFolding.cut("\(String(kept))\(dots)", to: width)
  }

  /// The text to write before anything else is written; empty if no line is there.
  package mutating func erase() -> String {
    guard shown != nil else { return "" }
    shown = nil
    return isInPlace ? "\r\u{1b}[K" : ""
  }
}

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
    guard text.count > width else { return text }
    let colon = text.prefix(width + 1).indices.last { text[$0...].hasPrefix(": ") }
    if let colon { return String(text[..<colon]) }
    let dots = "..."
    var kept = text.prefix(max(0, width - dots.count))
    if !text[kept.endIndex...].hasPrefix(" "), let space = kept.lastIndex(of: " ") { kept = kept[..<space] }
    while let last = kept.last, " ,;".contains(last) { kept.removeLast() }
    return String("\(kept)\(dots)".prefix(width))
  }

  /// The text to write before anything else is written; empty if no line is there.
  package mutating func erase() -> String {
    guard shown != nil else { return "" }
    shown = nil
    return isInPlace ? "\r\u{1b}[K" : ""
  }
}

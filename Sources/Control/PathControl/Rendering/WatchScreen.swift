package import PathModel
package import Programs

/// The picture of `pathctl watch` on a terminal. Each update redraws it in place.
package struct WatchScreen: Sendable {
  private var style: Style
  private var height: Int?
  private var linesDrawn = 0
  private var drawn: (path: NetworkPath, time: String, isFirst: Bool)?

  /// Hides the cursor, which would flicker; written before each picture.
  package static let hideCursor = "\u{1b}[?25l"
  /// Shows the cursor again; written at the end, also after an error.
  package static let showCursor = "\u{1b}[?25h"

  /// Creates an empty screen.
  ///
  /// - Parameter height: The height of the terminal in rows; `nil` when lines need not be left out.
  package init(_ style: Style, height: Int? = nil) {
    self.style = style
    self.height = height
  }

  /// The text to write for an update that came at the local time.
  ///
  /// Nothing says since when the first path has been as it is, so its time is that of the beginning.
  package mutating func draw(_ path: NetworkPath, at time: String) -> String {
    drawn = (path, time, isFirst: drawn == nil)
    return picture()
  }

  /// The text to write when the terminal has a new size.
  package mutating func redraw(width: Int?, height: Int? = nil) -> String {
    style.width = width
    self.height = height
    return picture()
  }

  /// Forgets the picture on the terminal, because another program has written there: the next one is drawn below.
  package mutating func forget() {
    linesDrawn = 0
  }

  private mutating func picture() -> String {
    guard let drawn else { return "" }
    var lines = PathPicture.lines(drawn.path, style, causes: [drawn.path.knownDiagnosis].compactMap(\.self))
    let footer = [""] + footerLines(drawn.path, drawn.time, isFirst: drawn.isFirst)
    // The cursor cannot go back to a line that has left the screen.
    if let height { lines = Array(lines.prefix(max(0, height - footer.count - 1))) }
    lines += footer
    // A wrapped line would spoil the redraw.
    if let width = style.width { lines = lines.map { LineFolding.cut($0, to: width) } }
    var text = linesDrawn > 0 ? "\u{1b}[\(linesDrawn)A\r" : ""
    for line in lines { text += "\(line)\u{1b}[K\n" }
    linesDrawn = lines.count
    return text + "\u{1b}[J"
  }

  private func footerLines(_ path: NetworkPath, _ time: String, isFirst: Bool) -> [String] {
    let changes = path.changed.isEmpty ? "" : ", changed: \(path.escaped.changed.joined(separator: ", "))"
    let text = isFirst ? "watched since \(time)" : "since \(time)\(changes)"
    var lines = LineFolding.fold("  \(text)", to: style.width)
    let end = "(q ends)"
    let hasRoom = style.width.map { LineFolding.columns(of: lines.last ?? "") + 2 + end.utf8.count <= $0 } ?? true
    if hasRoom { lines[lines.count - 1] += "  \(end)" } else { lines.append("  \(end)") }
    return lines.map(style.dim)
  }
}

package import PathModel

/// The picture of `pathctl watch` on a terminal. Each update redraws it in place.
package struct WatchScreen: Sendable {
  private var style: Style
  private var linesDrawn = 0
  private var drawn: (path: NetworkPath, time: String)?

  /// Hides the cursor, which would flicker; written before each picture.
  package static let hideCursor = "\u{1b}[?25l"
  /// Shows the cursor again; written at the end, also after an error.
  package static let showCursor = "\u{1b}[?25h"

  /// Creates an empty screen.
  package init(_ style: Style) {
    self.style = style
  }

  /// The text to write for an update that came at the local time.
  package mutating func draw(_ path: NetworkPath, at time: String) -> String {
    drawn = (path, time)
    var lines = PathPicture.lines(path, style)
    let changes = path.changed.isEmpty ? "" : ", changed: \(path.escaped.changed.joined(separator: ", "))"
    lines += ["", style.dim("  since \(time)\(changes)  (Ctrl-C ends)")]
    if let width = style.width { lines = lines.map { Self.cut($0, to: width) } }
    var text = linesDrawn > 0 ? "\u{1b}[\(linesDrawn)A\r" : ""
    for line in lines { text += "\(line)\u{1b}[K\n" }
    linesDrawn = lines.count
    return text + "\u{1b}[J"
  }

  /// The text to write when the terminal has a new width.
  package mutating func redraw(width: Int?) -> String {
    style.width = width
    guard let drawn else { return "" }
    return draw(drawn.path, at: drawn.time)
  }

  /// Cuts a line to the width, where escape sequences take no columns. A wrapped line would spoil the redraw.
  static func cut(_ line: String, to width: Int) -> String {
    var columns = 0
    var isEscape = false
    var text = ""
    for character in line {
      if character == "\u{1b}" { isEscape = true }
      if !isEscape {
        columns += 1
        if columns > width { continue }
      }
      text.append(character)
      if isEscape, character.isLetter { isEscape = false }
    }
    return text
  }
}

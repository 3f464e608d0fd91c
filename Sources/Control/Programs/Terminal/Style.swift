internal import SystemIO

/// The marking of text for a terminal; other outputs get plain text.
package struct Style: Hashable, Sendable {
  /// Whether colours and weights are used.
  package var isColored: Bool
  /// Whether characters beyond ASCII can be shown.
  package var isUnicode = true
  /// The width of the terminal in columns; `nil` when lines need not be cut.
  package var width: Int?

  /// The style for standard output and the environment: without colours in a pipe, with `NO_COLOR`, or on a dumb
  /// terminal.
  package static func forOutput() -> Style {
    let isTerminal = Output.isTerminal(1)
    let noColor = !(Environment.value("NO_COLOR") ?? "").isEmpty || Environment.value("TERM") == "dumb"
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment.value($0) }.first { !$0.isEmpty }
    // As in de_DE.UTF-8@euro. A search in a text takes a twentieth of the instructions of pathctl status.
    let encoding = Array((locale ?? "").lowercased().utf8.prefix { $0 != UInt8(ascii: "@") })
    return Style(
      isColored: isTerminal && !noColor,
      isUnicode: ["utf-8", "utf8"].contains { encoding.suffix($0.utf8.count).elementsEqual($0.utf8) },
      width: isTerminal ? Output.terminalWidth(1) : nil)
  }

  /// The text as of a good state.
  package func green(_ text: String) -> String { marked(text, "32;1") }
  /// The text as of a bad state.
  package func red(_ text: String) -> String { marked(text, "31;1") }
  /// The text as of a doubt.
  package func yellow(_ text: String) -> String { marked(text, "33") }
  /// The text in bold.
  package func bold(_ text: String) -> String { marked(text, "1") }
  /// The text with less weight, for names of columns and values of less interest.
  package func dim(_ text: String) -> String { marked(text, "2") }

  private func marked(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  /// A bullet for a state that is on or off.
  package func bullet(_ isOn: Bool) -> String { isUnicode ? (isOn ? "●" : "○") : (isOn ? "*" : "o") }
  /// A mark for yes or no.
  package func mark(_ isOn: Bool) -> String { isOn ? green("yes") : dim("no") }
}

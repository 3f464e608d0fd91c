/// The parts of a help text that are made of lists and tables.
package enum HelpTable {
  /// The greatest width of a line, in columns.
  private static let width = 100

  /// A line for each row, indented, with the second column aligned.
  package static func text(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \(LineFolding.padded($0.0, to: width))  \($0.1)\n" }.joined()
  }

  /// A line for each option.
  package static func text<Target>(of options: [Option<Target>]) -> String {
    text(options.map { ($0.label, $0.summary) })
  }

  /// A usage line: the words, then the options in brackets.
  package static func usage<Target>(_ words: [String], options: [Option<Target>]) -> String {
    (words + options.map { "[\($0.usage)]" }).joined(separator: " ")
  }

  /// The text in lines of the usual width, without a newline at the end.
  package static func filled(_ text: String, indentation: Int = 0) -> String {
    let indentation = String(repeating: " ", count: indentation)
    return LineFolding.filled(text.split(separator: " "), first: indentation, rest: indentation, width)
      .joined(separator: "\n")
  }
}

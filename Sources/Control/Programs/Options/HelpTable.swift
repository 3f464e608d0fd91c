/// The parts of a help text that are made from tables.
package enum HelpTable {
  /// A line for each row, indented, with the second column aligned.
  package static func text(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined()
  }

  /// A line for each option.
  package static func text<Effect>(of options: [CommandLineOption<Effect>]) -> String {
    text(options.map { ($0.label, $0.summary) })
  }

  /// A usage line: the words, then the options in brackets.
  package static func usage<Effect>(_ words: [String], options: [CommandLineOption<Effect>]) -> String {
    (words + options.map { "[\($0.usage)]" }).joined(separator: " ")
  }
}

/// The lines of a configuration file, in the way of systemd.syntax(7): sections, `Key=value`, and comments on lines of
/// their own. A line that ends in a backslash continues in the next one that is no comment.
struct ConfigurationText {
  /// The content of a line.
  enum Line: Hashable {
    case section(String)
    case assignment(name: String, value: String)
    /// A section without its closing bracket.
    case openSection(String)
    /// A section with text behind its closing bracket.
    case sectionWithText
    case nonsense
    case tooLong
  }

  /// The longest line in bytes, continuations included: 256 patterns of the longest kind.
  static let longestLine = 65_536

  /// The lines that are neither empty nor comments, with their numbers from 1. A continued line has the number of its
  /// beginning.
  static func lines(of text: String) -> [(number: Int, line: Line)] {
    var reader = Reader()
    var rest = text.utf8[...]
    // Some editors write the mark; systemd skips it, too.
    if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      reader.append(rest[..<end])
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
    }
    return reader.finish()
  }

  private typealias Bytes = Substring.UTF8View

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Joins the lines of a file that continue one another.
  private struct Reader {
    private var lines: [(number: Int, line: Line)] = []
    private var number = 0
    /// The line that continues, without its backslashes, and the number of its beginning.
    private var begun: (number: Int, bytes: [UInt8])?

    /// Appends the next line of the file.
    mutating func append(_ text: Bytes) {
      number += 1
      var text = text
      if text.last == UInt8(ascii: "\r") { text.removeLast() }
      // A comment ends no line and continues none.
      if let first = text.first(where: { !isBlank($0) }), isCommentSign(first) { return }
      let continues = endsWithOpenBackslash(text)
      guard continues || begun != nil else { return add(number, text) }
      var line = begun ?? (number, [])
      // Beyond the limit only the fact counts that the line is too long.
      if line.bytes.count <= longestLine { line.bytes += continues ? text.dropLast() : text }
      if continues { line.bytes.append(UInt8(ascii: " ")) }
      begun = continues ? line : nil
      if !continues { add(line) }
    }

    /// The lines, after the last line of the file.
    mutating func finish() -> [(number: Int, line: Line)] {
      if let begun { add(begun) }
      return lines
    }

    private mutating func add(_ line: (number: Int, bytes: [UInt8])) {
      add(line.number, Substring(String(decoding: line.bytes, as: UTF8.self)).utf8)
    }

    private mutating func add(_ number: Int, _ text: Bytes) {
      let text = trimmed(text)
      if text.count > longestLine {
        lines.append((number, .tooLong))
      } else if let line = line(text) {
        lines.append((number, line))
      }
    }
  }

  /// Whether the last character is a backslash that none before it makes literal.
  private static func endsWithOpenBackslash(_ text: Bytes) -> Bool {
    text.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  private static func isCommentSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") }

  /// `nil` for empty lines and comments.
  private static func line(_ text: Bytes) -> Line? {
    guard let first = text.first, !isCommentSign(first) else { return nil }
    if first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return .openSection(string(text.dropFirst())) }
      return text.index(after: end) == text.endIndex ? .section(string(text[..<end].dropFirst())) : .sectionWithText
    }
    guard let sign = text.firstIndex(of: UInt8(ascii: "=")), sign != text.startIndex else { return .nonsense }
    return .assignment(
      name: string(trimmed(text[..<sign])), value: string(trimmed(text[text.index(after: sign)...])))
  }

  private static func string(_ text: Bytes) -> String { String(decoding: text, as: UTF8.self) }

  private static func trimmed(_ text: Bytes) -> Bytes {
    var rest = text.drop { isBlank($0) }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}

/// The reason why a configuration file is rejected.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The mistake and the way to correct it, without a full stop.
  package let message: String
  /// The other mistakes of the file, in the order in which they were found.
  package private(set) var further: [ConfigurationProblem] = []

  /// Throws the first of the problems, if there is one, with the others in its ``further``.
  static func throwFirst(of problems: [ConfigurationProblem]) throws(ConfigurationProblem) {
    guard var first = problems.first else { return }
    first.further = Array(problems.dropFirst())
    throw first
  }

  /// The line and the message.
  package var description: String { "line \(line): \(message)" }
}

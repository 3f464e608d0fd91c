/// The lines of a configuration file, in the way of systemd.syntax(7): sections, `Key=value`, and comments on lines of
/// their own.
struct ConfigurationText {
  /// The content of a line.
  enum Line: Hashable {
    case section(String)
    case assignment(name: String, value: String)
    case nonsense
    case tooLong
  }

  /// The longest line in bytes: 256 patterns of the longest kind.
  static let longestLine = 65_536

  /// The lines that are neither empty nor comments, with their numbers from 1.
  static func lines(of text: String) -> [(number: Int, line: Line)] {
    var lines: [(number: Int, line: Line)] = []
    var number = 0
    var utf8 = text.utf8[...]
    while !utf8.isEmpty {
      number += 1
      let end = utf8.firstIndex(of: UInt8(ascii: "\n")) ?? utf8.endIndex
      let text = trimmed(utf8[..<end])
      if text.count > longestLine {
        lines.append((number, .tooLong))
      } else if let line = line(text) {
        lines.append((number, line))
      }
      utf8 = end == utf8.endIndex ? utf8[end...] : utf8[utf8.index(after: end)...]
    }
    return lines
  }

  private typealias Bytes = Substring.UTF8View

  /// `nil` for empty lines and comments.
  private static func line(_ text: Bytes) -> Line? {
    guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
    if first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 1 {
      return .section(string(text.dropFirst().dropLast()))
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

  /// A problem.
  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  /// The line and the message.
  package var description: String { "line \(line): \(message)" }
}

package import PathModel

/// A text with places for values of the path, such as `{kind} {interface}`.
///
/// A place is a name in braces: a field of the path, or one of the words for people. Two braces stand for one.
package struct PathTemplate: Hashable, Sendable {
  /// A mistake in a template.
  package struct ParseError: Error, Hashable, Sendable {
    /// The mistake in words, without a full stop.
    package let reason: String
  }

  private enum Piece: Hashable {
    case text(String)
    case field(PathField)
    case words(PathSummary.Name)
  }

  /// The names that can stand in braces.
  package static let names: [String] = {
    let words = PathSummary.Name.allCases.map(\.rawValue)
    return words + PathField.names.filter { !words.contains($0) }
  }()

  private var pieces: [Piece] = []

  /// Reads a template.
  ///
  /// - Throws: ``ParseError`` for a name that is not known, and for a brace without its counterpart.
  package init(_ template: String) throws(ParseError) {
    if template.isEmpty { throw ParseError(reason: "it is empty") }
    var rest = template.unicodeScalars[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      add(text: rest[..<brace])
      let behind = rest[rest.index(after: brace)...]
      if behind.first == rest[brace] {
        add(text: rest[brace...brace])
        rest = behind.dropFirst()
        continue
      }
      guard rest[brace] == "{", let end = behind.firstIndex(of: "}") else {
        throw ParseError(reason: "the brace '\(rest[brace])' lacks its counterpart; two braces stand for one")
      }
      pieces.append(try Self.piece(String(behind[..<end])))
      rest = behind[behind.index(after: end)...]
    }
    add(text: rest)
  }

  private mutating func add(text: Substring.UnicodeScalarView) {
    if !text.isEmpty { pieces.append(.text(String(text))) }
  }

  private static func piece(_ name: String) throws(ParseError) -> Piece {
    if let words = PathSummary.Name(rawValue: name) { return .words(words) }
    if let field = PathField(name: name) { return .field(field) }
    throw ParseError(
      reason: """
        \(name.quotedInLine) in braces is not known\(Suggestion.text(for: name, among: names)); \
        allowed are \(names.joined(separator: ", "))
        """)
  }

  /// The text with the values of a path, without spaces at its ends.
  package func text(of path: NetworkPath) -> String {
    let summary = PathSummary(path)
    let text = pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field): field.text(of: path)
      case .words(let name): summary[name]
      }
    }.joined()
    // An absent value leaves the spaces around it.
    var line = text.inOneLine.unicodeScalars[...]
    while line.last == " " { line.removeLast() }
    return String(line.drop { $0 == " " })
  }
}

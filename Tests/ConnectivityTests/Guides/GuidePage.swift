import Foundation

/// A piece of Swift: what it imports, and its lines without the indentation that all of them share.
struct GuideSnippet: Equatable {
  var imports: [String]
  var lines: [String]

  /// Takes the imports at the beginning apart: a program has them at the top of its file.
  init(_ text: [String]) {
    imports = text.prefix { Self.isImport($0) || $0.isEmpty }.filter(Self.isImport)
    let body = text.drop { Self.isImport($0) || $0.isEmpty }
    let indentation = body.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    lines = body.map { String($0.dropFirst(indentation)) }
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }
}

/// A mistake in a page or a file of snippets, and its place.
struct GuideError: Error, CustomStringConvertible {
  var description: String
}

/// A page of Markdown with its blocks of code.
struct GuidePage {
  /// The content between two fences.
  struct Block {
    /// The line of the first fence.
    var line: Int
    /// The words behind the first fence, in small letters; empty when there are none.
    var language: String
    /// The lines between the fences.
    var text: [String] = []
  }

  /// All blocks in order.
  var blocks: [Block] = []

  /// The Swift, and the line on which each snippet begins.
  var snippets: [(line: Int, snippet: GuideSnippet)] {
    blocks.filter { $0.language.hasPrefix("swift") }.map { ($0.line, GuideSnippet($0.text)) }
  }

  /// - Throws: ``GuideError`` when a block is not closed.
  init(_ text: String) throws(GuideError) {
    var open: Block?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let words = line.trimmingCharacters(in: .whitespaces)
      switch (open, words.hasPrefix("```")) {
      case (nil, true): open = Block(line: index + 1, language: words.dropFirst(3).lowercased())
      case (let block?, true):
        blocks.append(block)
        open = nil
      case (_?, false): open?.text.append(line)
      case (nil, false): break
      }
    }
    if let open { throw GuideError(description: "the block of line \(open.line) is not closed") }
  }

  /// Reads a page of the repository.
  init(at name: String) throws {
    let url = Self.repository.appendingPathComponent(name)
    try self.init(try String(contentsOf: url, encoding: .utf8))
  }

  /// Reads the documentation in a source of the repository, line by line; other lines count as empty.
  init(documentationOf name: String) throws {
    let url = Self.repository.appendingPathComponent(name)
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").map { line in
      let words = line.trimmingCharacters(in: .whitespaces)
      guard words.hasPrefix("///") else { return "" }
      return String(words.dropFirst(words.hasPrefix("/// ") ? 4 : 3))
    }
    try self.init(lines.joined(separator: "\n"))
  }

  /// The repository in which this file is.
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// A compiled file with snippets, each between the lines `// guide: begin` and `// guide: end`.
struct CompiledSnippets {
  /// The imports of the file.
  var imports: Set<String>
  /// The snippets, and the line on which each begins.
  var snippets: [(line: Int, snippet: GuideSnippet)] = []

  /// - Throws: ``GuideError`` when the marks are not in pairs.
  init(_ text: String) throws(GuideError) {
    let all = text.components(separatedBy: "\n")
    imports = Set(all.filter(GuideSnippet.isImport))
    var open: (line: Int, text: [String])?
    for (index, line) in all.enumerated() {
      switch (line.trimmingCharacters(in: .whitespaces), open) {
      case ("// guide: begin", nil): open = (index + 1, [])
      case ("// guide: end", let block?):
        snippets.append((block.line, GuideSnippet(block.text)))
        open = nil
      case ("// guide: begin", _), ("// guide: end", nil):
        throw GuideError(description: "the mark of line \(index + 1) has no other one")
      case (_, _?): open?.text.append(line)
      case (_, nil): break
      }
    }
    if let open { throw GuideError(description: "the snippet of line \(open.line) has no end") }
  }

  /// Whether the file compiles the snippet: all of it, and nothing else between its marks.
  func compiles(_ snippet: GuideSnippet) -> Bool {
    imports.isSuperset(of: snippet.imports) && snippets.contains { $0.snippet.lines == snippet.lines }
  }
}

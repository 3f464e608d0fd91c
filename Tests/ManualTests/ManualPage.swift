import Foundation
import Testing

/// The files of the repository.
enum Repository {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(of file: String) throws -> String {
    try String(contentsOf: path.appendingPathComponent(file), encoding: .utf8)
  }
}

/// A page of the manual as it is written in scdoc, read without its marks.
struct ManualPage {
  /// The part of a page below a heading.
  struct Section {
    /// The heading.
    var heading: String
    /// The prose and the terms, with single spaces between the words.
    var text = ""
    /// The terms that have a paragraph of their own.
    var terms: [String] = []
    /// The lines of the examples.
    var examples: [String] = []
  }

  /// The names of all pages, such as `pathctl.1`.
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: "\(Repository.path.path)/man"))?
    .filter { $0.hasSuffix(".scd") }.map { String($0.dropLast(4)) }.sorted() ?? []

  /// The sections and their parts, in order.
  private(set) var sections: [Section] = []

  /// The page with the name.
  init(_ name: String) throws {
    let lines = try Repository.text(of: "man/\(name).scd").split(separator: "\n", omittingEmptySubsequences: false)
    var isExample = false
    // The lines of the paragraph so far, which is a term if an indented line follows.
    var paragraph: [String] = []
    for line in lines.dropFirst() {
      if line == "```" {
        isExample.toggle()
      } else if isExample {
        sections[sections.count - 1].examples.append(String(line.replacing("\\\\", with: "\\")))
      } else if line.hasPrefix("#") {
        sections.append(Section(heading: String(line.drop { $0 == "#" || $0 == " " })))
      } else {
        let words = Self.withoutMarks(line.drop { $0 == "\t" })
        if line.hasPrefix("\t"), !paragraph.isEmpty {
          sections[sections.count - 1].terms.append(paragraph.joined(separator: " "))
        }
        if line.hasPrefix("\t") || line.isEmpty { paragraph = [] } else { paragraph.append(words) }
        if !line.isEmpty { sections[sections.count - 1].text += "\(words) " }
      }
    }
  }

  /// The section below the heading.
  func section(_ heading: String) throws -> Section {
    try #require(sections.first { $0.heading == heading }, "there is no heading '\(heading)'")
  }

  /// The text without the marks of bold and underlined words.
  private static func withoutMarks(_ line: Substring) -> String {
    var text = ""
    var isEscaped = false
    let characters = Array(line)
    for (index, character) in characters.enumerated() {
      // An underscore within a word is one.
      let around = characters[max(0, index - 1)...min(index + 1, characters.count - 1)]
      let isInWord = around.count == 3 && around.first?.isOfWord == true && around.last?.isOfWord == true
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character != "*", character != "_" || isInWord {
        text.append(character)
      }
    }
    return text.hasSuffix("++") ? String(text.dropLast(2)) : text
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }
}

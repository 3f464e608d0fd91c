/// A case of a file that describes networks in lines.
///
/// `case NAME` begins each case. A line that begins with `#` is a comment. Every other line is an item of its case: its
/// first word is the keyword if the reader of the file knows it as one, and else the line holds commands.
package struct CaseBlock: Sendable {
  package var beginningLine: Item
  package var items: [Item]

  package var name: String { beginningLine.split.rest }

  /// Whether the loopback interface is down at the beginning, and nothing else is there.
  package var isBare: Bool { items.contains { $0.text == "bare" } }

  /// The commands before those of the case.
  package var beginning: [String] { isBare ? [] : NetworkCommands.beginning }

  /// Whether the kernel in memory answers otherwise than the real one.
  package var isReal: Bool { items.contains { $0.text == "real" } }

  /// Whether no namespace has such a network.
  package var isInMemoryOnly: Bool {
    items.contains { item in item.commands.contains { MemoryNetwork.ownCommands.contains($0.first ?? "") } }
  }

  /// A line, without the spaces around it.
  package struct Item: Sendable {
    package var number: Int
    package var text: String

    /// The first word, and the rest behind the space.
    package var split: (keyword: String, rest: String) {
      let end = text.firstIndex(of: " ") ?? text.endIndex
      return (String(text[..<end]), String(text[end...].drop { $0 == " " }))
    }

    package var commands: [[String]] {
      text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
    }

    /// The complaint that this line is not understood.
    package func mistake(_ message: String) -> CaseMistake { CaseMistake(line: number, message: message) }
  }

  package static func all(in bytes: [UInt8]) throws(CaseMistake) -> [CaseBlock] {
    var cases: [CaseBlock] = []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = String(line.drop { $0 == " " })
      let item = Item(number: number + 1, text: text)
      if text.isEmpty || text.hasPrefix("#") { continue }
      if item.split.keyword == "case" {
        cases.append(CaseBlock(beginningLine: item, items: []))
      } else if cases.isEmpty {
        throw item.mistake("a line before the first case. Begin with 'case NAME'")
      } else {
        cases[cases.count - 1].items.append(item)
      }
    }
    return cases.flatMap(\.variants)
  }

  /// The case once for each value of its line `each NAME VALUE …`, with the value in place of the name.
  private var variants: [CaseBlock] {
    guard let position = items.firstIndex(where: { $0.text.hasPrefix("each ") }) else { return [self] }
    let words = items[position].commands[0].dropFirst()
    return words.dropFirst().map { value in
      var variant = self
      variant.items.remove(at: position)
      variant.beginningLine.text += " (\(value))"
      for index in variant.items.indices {
        variant.items[index].text = variant.items[index].text.replacing(words[words.startIndex], with: value)
      }
      return variant
    }
  }
}

/// A line of a file with cases that is not understood.
package struct CaseMistake: Error, CustomStringConvertible {
  package var line: Int
  package var message: String

  package var description: String { "line \(line): \(message)" }
}

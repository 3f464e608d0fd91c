/// Text in the language of shells.
enum ShellText {
  /// The text as one word that the shell does not look into.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The words with spaces between them, each quoted if it needs it.
  static func words(_ words: some Sequence<String>) -> String {
    words.map { word in
      word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_=.,/".contains($0)) } ? word : quoted(word)
    }.joined(separator: " ")
  }

  /// A pattern that matches each of the words.
  static func alternatives(_ words: some Sequence<String>, separator: String = " | ") -> String {
    words.map { $0.isEmpty ? "''" : $0 }.joined(separator: separator)
  }

  /// The elements in groups of those for which the same is done, in the order in which each group begins.
  static func grouped<Element, Action: Equatable>(
    _ elements: some Sequence<Element>, by action: (Element) -> Action
  ) -> [(action: Action, elements: [Element])] {
    var groups: [(action: Action, elements: [Element])] = []
    for element in elements {
      let action = action(element)
      if let position = groups.firstIndex(where: { $0.action == action }) {
        groups[position].elements.append(element)
      } else {
        groups.append((action, [element]))
      }
    }
    return groups
  }
}

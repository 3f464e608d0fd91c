internal import PathModel

/// The completion of requirements.
package enum RequirementCompletion {
  /// The requirements that begin with the text; each completes its last word or key.
  ///
  /// - Parameter interfaces: Lists the interfaces of the machine.
  package static func candidates(for text: String, interfaces: () -> [String]) -> [CompletionAnswer.Candidate] {
    let scalars = text.unicodeScalars
    let begin =
      scalars.lastIndex { $0 == "," || $0 == "|" || $0 == "(" }.map { scalars.index(after: $0) } ?? scalars.startIndex
    let head = String(scalars[..<begin])
    return terms(for: String(scalars[begin...]), interfaces).filter { (head + $0.word).utf8.starts(with: text.utf8) }
      .map { .init(head + $0.word, $0.meaning) }
  }

  /// The candidates for a term that the user has begun.
  private static func terms(for term: String, _ interfaces: () -> [String]) -> [CompletionAnswer.Candidate] {
    for key in PathRequirement.Key.allCases where term.utf8.starts(with: "\(key.rawValue)=".utf8) {
      return values(of: key, interfaces).map { .init("\(key.rawValue)=\($0)") }
    }
    for negation in ["not-", "!"] where term.utf8.starts(with: negation.utf8) {
      return words.map { .init(negation + $0.word, "not: \($0.meaning)") }
    }
    let keys = PathRequirement.Key.allCases.map {
      CompletionAnswer.Candidate("\($0.rawValue)=", $0.meaning)
    }
    return words + [.init("not-", "the opposite of a word")] + keys
  }

  private static var words: [CompletionAnswer.Candidate] {
    PathRequirement.Word.allCases.map { .init($0.rawValue, $0.meaning) }
  }

  private static func values(of key: PathRequirement.Key, _ interfaces: () -> [String]) -> [String] {
    switch key {
    case .interface: interfaces()
    case .type: InterfaceType.requirementNames
    case .via: interfaces() + InterfaceType.requirementNames
    }
  }
}

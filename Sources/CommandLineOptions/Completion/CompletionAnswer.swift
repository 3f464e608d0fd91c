/// The answer to a shell that asks what can stand at the cursor.
package struct CompletionAnswer: Hashable, Sendable {
  /// A word that can stand at the cursor.
  package struct Candidate: Hashable, Sendable {
    /// The whole word.
    package var word: String
    /// Its meaning, for shells that show it; may be empty.
    package var meaning: String

    /// A word with its meaning.
    package init(_ word: String, _ meaning: String = "") {
      (self.word, self.meaning) = (word, meaning)
    }

    /// Whether the user has to go on with the word: an option or a key lacks its value.
    var isOpen: Bool { word.hasSuffix("=") || word.hasSuffix("-") }
  }

  /// The place that the candidates come from.
  package enum Source: Hashable, Sendable {
    /// From the program.
    case candidates([Candidate])
    /// From the shell: files.
    case files
    /// From the shell: hosts.
    case hosts
    /// From the shell: programs.
    case programs
    /// From the shell: a command line of its own, which begins with the word at the index.
    case command(at: Int)
  }

  /// The place that the candidates come from.
  package var source: Source
  /// The part of the word at the cursor that stands before everything the shell finds, such as `--socket=`.
  package var head: String
  /// The rest of that word.
  package var text: String

  /// An answer.
  package init(_ source: Source, head: String = "", text: String = "") {
    (self.source, self.head, self.text) = (source, head, text)
  }
}

/// The answer to a shell: the texts that can stand at the cursor.
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

    /// Whether the word is incomplete, such as a key without its value.
    var isOpen: Bool { "=-".utf8.contains(word.utf8.last ?? 0) }
  }

  /// The source of the candidates.
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

  /// The source of the candidates.
  package var source: Source
  /// The part of the word at the cursor before the shell's own candidates, such as `--socket=`.
  package var head: String
  /// The rest of that word.
  package var text: String

  /// An answer.
  package init(_ source: Source, head: String = "", text: String = "") {
    (self.source, self.head, self.text) = (source, head, text)
  }
}

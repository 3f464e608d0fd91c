/// The syntax of a command line: of a verb, or of a program without verbs. Parser, help and completion are made of it.
package protocol CommandSyntax: Sendable {
  /// The word that is typed.
  static var name: String { get }
  /// Other words for it, which are understood and not offered.
  static var synonyms: [String] { get }
  /// Its effect, in one line.
  static var summary: String { get }
  /// The operands, in order.
  static var operands: [Placeholder] { get }
  /// Whether it takes a command behind `--`.
  static var takesCommand: Bool { get }
  /// The options it takes, in the order of the help.
  static var options: [Option<Self>] { get }
  /// The names of options that have no meaning behind a first operand, by that operand.
  static var refusedOptions: [String: [String]] { get }
}

extension CommandSyntax {
  /// None.
  package static var synonyms: [String] { [] }
  /// None.
  package static var operands: [Placeholder] { [] }
  /// No command.
  package static var takesCommand: Bool { false }
  /// None.
  package static var refusedOptions: [String: [String]] { [:] }

  /// The options without their effects.
  package static var shownOptions: [Option<Void>] { options.map(\.shown) }

  /// Whether a user can call it by the word.
  package static func isCalled(_ word: String) -> Bool { name == word || synonyms.contains(word) }
}

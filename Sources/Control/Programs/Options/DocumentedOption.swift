/// An option of any program, as the help, the manual and shells show it.
package struct DocumentedOption: Hashable, Sendable {
  /// The word that is typed, with its dashes.
  package var name: String
  /// Its short form of one letter, with its dash.
  package var short: String?
  /// The name that it had before, which is still accepted and no longer suggested; `nil` when it had none.
  package var formerName: String?
  /// Its value; `nil` when it takes none.
  package var value: Placeholder?
  /// Its effect, in one line.
  package var summary: String

  /// Creates it from the option of a program's table.
  package init<Effect>(_ option: CommandLineOption<Effect>) {
    (name, short, formerName) = (option.name, option.short, option.formerName)
    (value, summary) = (option.value, option.summary)
  }
}

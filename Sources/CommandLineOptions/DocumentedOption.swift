/// An option as help, manual and shells show it, whichever program's it is.
package struct DocumentedOption: Hashable, Sendable {
  /// The word that is typed, with its dashes.
  package var name: String
  /// One letter that stands for it, with its dash.
  package var short: String?
  /// Its value; `nil` when it takes none.
  package var value: Placeholder?
  /// Its effect, in one line.
  package var summary: String

  /// The option of a program's table.
  package init<Effect>(_ option: CommandLineOption<Effect>) {
    (name, short, value, summary) = (option.name, option.short, option.value, option.summary)
  }
}

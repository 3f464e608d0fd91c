internal import PathModel
internal import Programs

/// The text that `pathctl help` prints, made from the table of verbs.
package enum HelpText {
  /// The usage line of a verb.
  package static func usage(of verb: Verb) -> String {
    (["pathctl"] + verb.usage(verb == .help ? [] : verb.ownOptions.map { "[\($0.usage)]" })).joined(separator: " ")
  }

  /// The help of a verb.
  package static func text(for verb: Verb) -> String {
    let full = usage(of: verb)
    // The help lists the options below, so a long usage line can leave them out.
    let usage = full.count > 90 ? (["pathctl"] + verb.usage(["[OPTION...]"])).joined(separator: " ") : full
    var text = "\(verb.summary).\n\nUsage: \(usage)\n"
    if verb != .help { text += "\nOptions:\n" + HelpTable.text(of: verb.options) }
    if !verb.help.isEmpty { text += "\n" + HelpLayout.text(verb.help) }
    let places = verb.operands + verb.options.compactMap(\.value)
    if places.contains(where: { $0.completion == .requirement }) {
      text += "\n" + HelpLayout.text(requirement)
    }
    if !verb.examples.isEmpty { text += "\n" + verb.examples.map(self.text(of:)).joined() }
    return text
  }

  private static func text(of example: Verb.Example) -> String {
    "\(example.purpose):\n"
      + example.lines.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  /// The syntax of a requirement, for the help of every verb that takes one.
  private static var requirement: [HelpBlock] {
    let words = PathRequirement.Word.allCases.map(\.rawValue).joined(separator: ", ")
    let keys = PathRequirement.Key.allCases.flatMap { key in key.placeholders.map { "\(key.rawValue)=\($0)" } }
    return [
      .text("A requirement is a word, or several with commas between them, all of which must hold:"),
      .apart("\(words) (each also with 'not-' before it), \(keys.joined(separator: ", "))."),
      .text("For example: wifi,unmetered"),
    ]
  }

  /// The help of the program.
  package static func text() -> String {
    """
    pathctl shows the network path of this machine:
    connected or not, over what, at what cost.

    Usage: pathctl [VERB] [OPTION...]

    Verbs:
    \(HelpTable.text(Verb.all.map { ($0.usage().joined(separator: " "), $0.summary) }))
    Options:
    \(HelpTable.text(of: Option.forQuestions + Option.everywhere))
    Times are written as in systemd.time(7): 50ms, 2min; a bare number is seconds.
    The units are us, ms, s, min, h, d and w; there are no months and years.
    Exit status: 0 yes, 1 no, 64 wrong usage, 69 cannot be known, 124 timed out.
    'pathctl help VERB' describes a verb.

    """
  }
}

internal import PathModel
internal import Programs

/// The text that `pathctl help` prints, made from the table of verbs.
package enum HelpText {
  /// The help of a verb.
  package static func text<Asked: Verb>(for verb: Asked.Type) -> String {
    let full = verb.usageLine
    // The help lists the options below, so a long usage line can leave them out.
    let usage = full.count > 90 ? (["pathctl"] + verb.usage(["[OPTION...]"])).joined(separator: " ") : full
    var text = "\(verb.summary).\n\nUsage: \(usage)\n"
    if verb.name != HelpVerb.name { text += "\nOptions:\n" + HelpTable.text(of: verb.options) }
    let details = details(of: verb)
    if !details.isEmpty { text += "\n" + details }
    let places = verb.operands + verb.options.compactMap(\.placeholder)
    if places.contains(where: { $0.completion == .requirement }) { text += "\n" + requirement }
    if !verb.examples.isEmpty { text += "\n" + verb.examples.map(self.text(of:)).joined() }
    return text
  }

  /// The details, and a paragraph about the exit statuses if the verb has any of its own.
  private static func details(of verb: any Verb.Type) -> String {
    var text = verb.details.isEmpty ? "" : verb.details + "\n"
    if !verb.synonyms.isEmpty { text += "'\(verb.synonyms.joined(separator: "' and '"))' is the same.\n" }
    let exits = verb.exits.map { "\($0.status): \($0.meaning)" }.joined(separator: "; ")
    return exits.isEmpty ? text : text + HelpTable.filled("Exit status \(exits).") + "\n"
  }

  private static func text(of example: (purpose: String, lines: String)) -> String {
    "\(example.purpose):\n"
      + example.lines.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  /// The syntax of a requirement, for the help of every verb that takes one.
  private static var requirement: String {
    let words = PathRequirement.Word.allCases.map(\.rawValue).joined(separator: ", ")
    let keys = PathRequirement.Key.allCases.flatMap { key in key.placeholders.map { "\(key.rawValue)=\($0)" } }
    return "A requirement is a word, or several with commas between them, all of which must hold, or\n"
      + "with bars, one of which must hold:\n"
      + HelpTable.filled(
        "\(words) (each also with 'not-' before it), \(keys.joined(separator: ", ")).", indentation: 2)
      + "\nFor example: wifi,unmetered or 'wifi|ethernet' or '(wifi|ethernet),unmetered'\n"
  }

  /// The help of the program.
  package static func text() -> String {
    """
    pathctl shows the network path of this machine:
    connected or not, over what, at what cost.

    Usage: pathctl [VERB] [OPTION...]

    Verbs:
    \(HelpTable.text(Verbs.all.map { ($0.usage().joined(separator: " "), $0.summary) }))
    Options:
    \(HelpTable.text(of: Option<StatusVerb>.forQuestions + Option.everywhere))
    Times are written as in systemd.time(7): 50ms, 2min; a bare number is seconds.
    The units are us, ms, s, min, h, d and w; there are no months and years.
    Exit status: 0 yes, 1 no, 64 wrong usage, 69 cannot be known, 124 timed out.
    'pathctl help VERB' describes a verb.

    """
  }
}

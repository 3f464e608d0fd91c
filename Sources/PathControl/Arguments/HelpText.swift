internal import CommandLineOptions

/// What `pathctl help` prints, made from the table of verbs.
package enum HelpText {
  /// The usage line of a verb.
  package static func usage(of verb: Verb) -> String {
    let options = verb == .help ? [] : verb.options.filter { $0.effect != .help && $0.effect != .version }
    let usage = HelpTable.usage(["pathctl", verb.name] + verb.operands, options: options)
    return ([usage] + verb.command).joined(separator: " ")
  }

  /// The help of a verb.
  package static func text(for verb: Verb) -> String {
    let full = usage(of: verb)
    // The options follow anyway.
    let brief = (["pathctl", verb.name] + verb.operands + ["[OPTION...]"] + verb.command).joined(separator: " ")
    let usage = full.count > 90 ? brief : full
    var text = "\(verb.summary).\n\nUsage: \(usage)\n"
    if verb != .help { text += "\nOptions:\n" + HelpTable.text(of: verb.options) }
    if !verb.details.isEmpty { text += "\n\(verb.details)\n" }
    if verb.takesRequirement { text += "\n\(requirement)\n" }
    return text
  }

  /// How a requirement is written, for the help of every verb that takes one.
  private static let requirement = """
    A requirement is a word, or several with commas between them, all of which must hold:
      connected, offline, unmetered, unmetered-known, unconstrained, wifi, cellular, ethernet, vpn,
      ipv4, ipv6, dns (each also with 'not-' before it), interface=NAME, type=TYPE, via=NAME or via=TYPE.
    For example: wifi,unmetered
    """

  /// The help of the program.
  package static func text() -> String {
    """
    pathctl tells what the network path of this machine is now:
    connected or not, over what, at what cost.

    Usage: pathctl [VERB] [OPTION...]

    Verbs:
    \(HelpTable.text(Verb.all.map { (([$0.name] + $0.operands + $0.command).joined(separator: " "), $0.summary) }))
    Options:
    \(HelpTable.text(of: Option.forQuestions + Option.everywhere))
    Times are written as in systemd.time(7): 50ms, 2min; a bare number is seconds.
    Exit status: 0 yes, 1 no, 64 wrong usage, 69 cannot be known, 124 timed out.
    'pathctl help VERB' tells more of a verb.

    """
  }
}

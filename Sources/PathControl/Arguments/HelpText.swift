internal import PathModel

/// What `pathctl help` prints, made from the table of verbs.
package enum HelpText {
  /// The usage line of a verb.
  package static func usage(of verb: Verb) -> String {
    let options = verb == .help ? [] : verb.options.filter { $0.effect != .help && $0.effect != .version }
    return (["pathctl", verb.name] + verb.operands + options.map { "[\($0.usage)]" }).joined(separator: " ")
  }

  /// The help of a verb.
  package static func text(for verb: Verb) -> String {
    var text = "\(verb.summary).\n\nUsage: \(usage(of: verb))\n"
    if verb != .help { text += "\nOptions:\n" + table(verb.options.map { (label(of: $0), $0.summary) }) }
    if !verb.details.isEmpty { text += "\n\(verb.details)\n" }
    return text
  }

  /// The help of the program.
  package static func text() -> String {
    """
    pathctl tells what the network path of this machine is now:
    connected or not, over what, at what cost.

    Usage: pathctl [VERB] [OPTION...]

    Verbs:
    \(table(Verb.all.map { (([$0.name] + $0.operands).joined(separator: " "), $0.summary) }))
    Options:
    \(table(Option.everywhere.map { (label(of: $0), $0.summary) }))
    Times are written as in systemd.time(7): 50ms, 2min; a bare number is seconds.
    Exit status: 0 yes, 1 no, 64 wrong usage, 69 cannot be known.
    'pathctl help VERB' tells more of a verb.

    """
  }

  private static func label(of option: Option) -> String {
    (option.short.map { "\($0), " } ?? "") + option.usage
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined()
  }
}

internal import PathModel
package import Programs

/// Parses the arguments of `pathctl`.
package struct ArgumentParser {
  private let arguments: [String]
  private var reader: CommandLineReader

  /// The verb of the arguments after the program's name, with its options and operands.
  ///
  /// - Throws: ``UsageError`` that names the mistake and shows a correct use.
  package static func parse(_ arguments: [String]) throws(UsageError) -> any Verb {
    var parser = ArgumentParser(arguments: arguments, reader: CommandLineReader(arguments))
    // The options before the verb are those of `status`, which runs when no verb is named.
    var status = StatusVerb()
    let name = try parser.reader.nextOperand(into: &status, StatusVerb.options, usage: StatusVerb.usageLine)
    guard let name else { return try parser.finish(status, isNamed: false) }
    return try parser.parse(try Verbs.named(name), status.invocation)
  }

  private mutating func parse<Named: Verb>(
    _ type: Named.Type, _ invocation: Invocation
  ) throws(UsageError) -> any Verb {
    var verb = Named()
    verb.invocation = invocation
    let behind = reader.rest
    verb.invocation.words = arguments.dropLast(behind.count + 1).filter { $0 != "--" } + behind
    var (operands, command): ([String], [String]) = ([], [])
    while let word = try reader.nextOperand(into: &verb, Named.options, usage: Named.usageLine) {
      if Named.takesCommand, reader.isBehindDashes {
        command.append(word)
      } else {
        if Named.takesCommand, operands.count == Named.operands.count {
          throw Self.missingDashes(before: word, Named.name, operands)
        }
        operands.append(word)
      }
    }
    return try finish(verb, isNamed: true, operands, command)
  }

  /// The error for a command without `--` before it. Its options would be taken for those of `pathctl`.
  private static func missingDashes(before word: String, _ verb: String, _ operands: [String]) -> UsageError {
    let words = ["pathctl", verb] + operands + ["--", word]
    return UsageError(
      """
      '--' is missing before the command \(word.quotedInLine). \
      Write for example \(words.joined(separator: " ").inOneLine), with all options of pathctl before the '--'.
      """)
  }

  private func finish<Asked: Verb>(
    _ verb: Asked, isNamed: Bool, _ operands: [String] = [], _ command: [String] = []
  ) throws(UsageError) -> any Verb {
    try verb.invocation.refuseContradictions()
    if verb.invocation.wantsVersion { return VersionVerb() }
    if verb.invocation.wantsHelp { return isNamed ? HelpVerb(about: Asked.self) : HelpVerb() }
    let error = UsageError(operands: operands, for: Asked.operands, of: Asked.name, usage: Asked.usageLine)
    if let error { throw error }
    var verb = verb
    try verb.take(operands, command: command)
    return verb
  }
}

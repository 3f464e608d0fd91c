internal import CommandLineOptions
internal import PathModel

/// Parses the arguments into an ``Invocation``.
struct ArgumentParser {
  private var reader: CommandLineReader<OptionEffect>
  private var arguments = VerbArguments()
  private var invocation = Invocation()
  private var probes: [IPAddress] = []
  private var wantsHelp = false
  private var wantsVersion = false

  /// A parser of the arguments after the program's name.
  init(_ arguments: [String]) {
    reader = CommandLineReader(arguments)
  }

  /// Parses the arguments; to be called once.
  mutating func parse() throws(UsageError) -> Invocation {
    while let argument = try nextArgument() {
      switch argument {
      case .option(let option, let value): try apply(option, value)
      case .operand(let name) where arguments.verb == nil: arguments.verb = try Verb.find(name)
      case .operand(let word) where reader.isBehindDashes && arguments.effectiveVerb.takesCommand:
        arguments.command.append(word)
      case .operand(let operand): arguments.operands.append(operand)
      }
    }
    if !probes.isEmpty {
      invocation.probes = ProbeAddresses(probes)
      // The service has its own, so the kernel is asked directly.
      invocation.isDirect = true
    }
    invocation.isCondition = arguments.isCondition
    invocation.order = try order()
    return invocation
  }

  /// The next argument, read with the options of the verb named so far.
  private mutating func nextArgument() throws(UsageError) -> CommandLineReader<OptionEffect>.Argument? {
    let verb = arguments.effectiveVerb
    return try reader.next(options: verb.options, usage: HelpText.usage(of: verb))
  }

  private func order() throws(UsageError) -> any VerbOrder {
    if wantsVersion { return VersionOrder() }
    if wantsHelp { return HelpOrder(arguments.verb) }
    let verb = arguments.effectiveVerb
    if let error = UsageError(
      operands: arguments.operands, for: verb.operands, of: verb.name, usage: arguments.usage)
    {
      throw error
    }
    return try verb.prepare(arguments)
  }

  private mutating func apply(_ option: Option, _ value: String) throws(UsageError) {
    switch option.effect {
    case .json: invocation.isJSON = true
    case .direct: invocation.isDirect = true
    case .help: wantsHelp = true
    case .version: wantsVersion = true
    case .settle: invocation.settle = try option.time(from: value)
    case .probe: try option.addProbe(value, to: &probes)
    case .socket: invocation.socketPath = try option.path(from: value)
    case .configuration:
      invocation.configurationPath = try option.path(from: value)
      // The service has its own, so the kernel is asked directly.
      invocation.isDirect = true
    case .timeout: arguments.timeout = try option.time(from: value)
    case .condition: arguments.isCondition = true
    case .interface: arguments.interface = value
    case .duration: arguments.duration = try option.time(from: value)
    case .why: arguments.why = value
    case .hook: arguments.hook = try option.command(from: value)
    case .onLoss: arguments.onLoss = try option.lossReaction(from: value)
    case .grace: arguments.grace = try option.time(from: value)
    case .onAfter: arguments.onAfter = try option.time(from: value)
    case .offAfter: arguments.offAfter = try option.time(from: value)
    }
  }
}

extension Verb {
  /// The verb with the name that a user has typed.
  static func find(_ name: String) throws(UsageError) -> Verb {
    if let verb = Verb.named(name) { return verb }
    let names = Verb.all.map(\.name)
    throw UsageError(
      """
      there is no verb '\(name)'\(Suggestion.text(for: name, among: names)). \
      The verbs are \(names.joined(separator: ", ")); see 'pathctl help'.
      """)
  }
}

extension Option {
  /// The command in the value.
  fileprivate func command(from value: String) throws(UsageError) -> String {
    if value.isEmpty { throw rejection(of: value, as: "command", because: "it is empty") }
    return value
  }

  /// The reaction to a lost path in the value.
  fileprivate func lossReaction(from value: String) throws(UsageError) -> LossReaction {
    guard let reaction = LossReaction(rawValue: value) else {
      throw rejection(of: value, as: "action", because: "it is stop, pause or continue")
    }
    return reaction
  }
}

internal import CommandLineOptions
internal import PathModel

/// Makes an ``Invocation`` of the arguments.
struct ArgumentParser {
  private var reader: CommandLineReader<OptionEffect>
  private var verb: Verb?
  private var operands: [String] = []
  private var invocation = Invocation()
  private var probes: [IPAddress] = []
  private var timeout: Duration?
  private var isCondition = false
  private var interface: String?
  private var duration: Duration?
  private var why: String?
  private var hook: String?
  private var onLoss = LossReaction.stop
  private var grace: Duration?
  private var onAfter: Duration?
  private var offAfter: Duration?
  /// What stands behind `--`, for a verb that runs a command.
  private var words: [String] = []
  private var wantsHelp = false
  private var wantsVersion = false

  /// A parser of the arguments after the program's name.
  init(_ arguments: [String]) {
    reader = CommandLineReader(arguments)
  }

  /// What the arguments say; to be called once.
  mutating func parse() throws(UsageError) -> Invocation {
    while let argument = try nextArgument() {
      switch argument {
      case .option(let option, let value): try apply(option, value)
      case .operand(let name) where verb == nil: verb = try Self.findVerb(name)
      case .operand(let word) where reader.isBehindDashes && verb?.command.isEmpty == false: words.append(word)
      case .operand(let operand): operands.append(operand)
      }
    }
    if !probes.isEmpty {
      invocation.probes = ProbeAddresses(probes)
      // The service has its own.
      invocation.isDirect = true
    }
    invocation.command = try command()
    return invocation
  }

  /// The next argument, by the options of the verb that was named so far.
  private mutating func nextArgument() throws(UsageError) -> CommandLineReader<OptionEffect>.Argument? {
    let verb = verb ?? .status
    return try reader.next(options: verb.options, usage: HelpText.usage(of: verb))
  }

  // MARK: Verbs

  private static func findVerb(_ name: String) throws(UsageError) -> Verb {
    if let verb = Verb.named(name) { return verb }
    let names = Verb.all.map(\.name)
    throw UsageError(
      """
      there is no verb '\(name)'\(Suggestion.text(for: name, among: names)). \
      The verbs are \(names.joined(separator: ", ")); see 'pathctl help'.
      """)
  }

  private func command() throws(UsageError) -> Invocation.Command {
    if wantsVersion { return .version }
    let verb = verb ?? .status
    if wantsHelp { return .help(self.verb) }
    if let error = UsageError(
      operands: operands, for: verb.operands, of: verb.name, usage: HelpText.usage(of: verb))
    {
      throw error
    }
    switch verb {
    case .help:
      guard let name = operands.first else { return .help(nil) }
      return .help(try Self.findVerb(name))
    case .watch: return .watch(hook: hook)
    case .wait: return .wait(try requirement(operands[0]), timeout: timeout)
    case .run: return try runCommand()
    case .check: return .check(try requirement(operands[0]), isCondition: isCondition)
    case .override: return try overrideCommand()
    case .health: return .health
    case .targets: return .targets(onAfter: onAfter ?? .seconds(2), offAfter: offAfter ?? .seconds(30))
    case .explain: return .explain
    case .interfaces: return .interfaces
    case .configuration: return .configuration
    case .route: return .route(host: operands[0])
    default: return .status
    }
  }

  private func requirement(_ text: String) throws(UsageError) -> PathRequirement {
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(text)
    } catch {
      throw UsageError("\(error). See 'pathctl help \((verb ?? .check).name)'.")
    }
  }

  /// What `run` is to do.
  private func runCommand() throws(UsageError) -> Invocation.Command {
    guard let command = words.first else {
      throw UsageError("COMMAND is missing behind '--'. Correct use: \(HelpText.usage(of: .run))")
    }
    if command.isEmpty { throw UsageError("the command is empty. Write its name, or its path, behind '--'.") }
    let requirement = try requirement(operands[0])
    return .run(Invocation.Run(words, while: requirement, onLoss: onLoss, grace: grace ?? .seconds(5)))
  }

  /// What `override` is to do, by its first operand.
  private func overrideCommand() throws(UsageError) -> Invocation.Command {
    let usage = HelpText.usage(of: .override)
    let operands = Array(operands.dropFirst())
    switch self.operands[0] {
    case "set":
      if let error = UsageError(operands: operands, for: ["FIELD", "VALUE"], of: "override set", usage: usage) {
        throw error
      }
      return .setOverride(
        field: operands[0], value: operands[1], interface: interface, duration: duration, why: why)
    case "clear":
      if let error = UsageError(operands: operands, for: ["[FIELD]"], of: "override clear", usage: usage) {
        throw error
      }
      try refuse([("--for", duration != nil), ("--why", why != nil)], for: "override clear")
      return .clearOverride(field: operands.first, interface: interface)
    case "list":
      if let error = UsageError(operands: operands, for: [], of: "override list", usage: usage) { throw error }
      try refuse(
        [("--for", duration != nil), ("--why", why != nil), ("--interface", interface != nil)], for: "override list")
      return .listOverrides
    default:
      throw UsageError("'\(self.operands[0])' is neither set, clear nor list. Correct use: \(usage)")
    }
  }

  private func refuse(_ given: [(name: String, isGiven: Bool)], for taker: String) throws(UsageError) {
    guard let name = given.first(where: \.isGiven)?.name else { return }
    throw UsageError("\(name) says nothing to '\(taker)'. Leave it out.")
  }

  // MARK: Options

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
      // The service has its own.
      invocation.isDirect = true
    case .timeout: timeout = try option.time(from: value)
    case .condition: isCondition = true
    case .interface: interface = value
    case .duration: duration = try option.time(from: value)
    case .why: why = value
    case .hook: hook = try option.command(from: value)
    case .onLoss: onLoss = try option.lossReaction(from: value)
    case .grace: grace = try option.time(from: value)
    case .onAfter: onAfter = try option.time(from: value)
    case .offAfter: offAfter = try option.time(from: value)
    }
  }
}

extension Option {
  /// The command that the value says.
  fileprivate func command(from value: String) throws(UsageError) -> String {
    if value.isEmpty { throw rejection(of: value, as: "command", because: "it is empty") }
    return value
  }

  /// What a lost path means, as the value says.
  fileprivate func lossReaction(from value: String) throws(UsageError) -> LossReaction {
    guard let reaction = LossReaction(rawValue: value) else {
      throw rejection(of: value, as: "action", because: "it is stop, pause or continue")
    }
    return reaction
  }
}

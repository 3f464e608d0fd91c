internal import PathModel
internal import Programs

/// Parses the arguments into an ``Invocation``.
struct ArgumentParser {
  private var reader: CommandLineReader<OptionEffect>
  private var arguments = VerbArguments()
  private var invocation = Invocation()
  private var probes: [IPAddress] = []
  /// The forms of output that options name, each with its option.
  private var forms: [(form: PathForm, option: String)] = []
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
      case .operand(let operand):
        try refuseCommandWithoutDashes(operand)
        arguments.operands.append(operand)
      }
    }
    if !probes.isEmpty {
      invocation.probes = ProbeAddresses(probes)
      // The service has its own, so the kernel is asked directly.
      invocation.isDirect = true
    }
    invocation.form = try form()
    invocation.order = try order()
    return invocation
  }

  /// The next argument, read with the options of the verb named so far.
  private mutating func nextArgument() throws(UsageError) -> CommandLineReader<OptionEffect>.Argument? {
    let verb = arguments.effectiveVerb
    return try reader.next(options: verb.options, usage: HelpText.usage(of: verb))
  }

  /// Refuses a word that is the command of a verb which takes one, but without `--` before it. The options of such a
  /// command would be taken for those of `pathctl`.
  private func refuseCommandWithoutDashes(_ word: String) throws(UsageError) {
    let verb = arguments.effectiveVerb
    guard verb.takesCommand, arguments.operands.count == verb.operands.count else { return }
    let words = ["pathctl", verb.name] + arguments.operands + ["--", word]
    throw UsageError(
      """
      '--' is missing before the command \(word.quotedInLine). \
      Write for example \(words.joined(separator: " ").inOneLine), with all options of pathctl before the '--'.
      """)
  }

  /// The form in which a path is printed, of which there can be one.
  private func form() throws(UsageError) -> PathForm {
    if invocation.isForMonitoring, let other = forms.first?.option ?? (invocation.isQuiet ? "--quiet" : nil) {
      throw UsageError("--nagios and \(other) exclude each other. Leave one of them out.")
    }
    if invocation.isForMonitoring, invocation.isCondition {
      throw UsageError("--nagios and --condition exclude each other. Leave one of them out.")
    }
    if forms.count > 1 {
      let names = forms.map(\.option).joined(separator: " and ")
      throw UsageError("\(names) exclude each other. Leave one of them out.")
    }
    if let form = forms.first, arguments.has(WatchOrder.hook.option), form.form != .json {
      throw UsageError("\(form.option) has no meaning for --exec, which shows nothing. Leave one of them out.")
    }
    return forms.first?.form ?? .picture
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

  private mutating func use(_ form: PathForm, _ option: Option) {
    forms.removeAll { $0.option == option.name }
    forms.append((form, option.name))
  }

  private mutating func apply(_ option: Option, _ value: String) throws(UsageError) {
    switch option.effect {
    case .json: use(.json, option)
    case .field: use(.field(try option.field(from: value)), option)
    case .format: use(try option.format(from: value), option)
    case .quiet: invocation.isQuiet = true
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
    case .condition: invocation.isCondition = true
    case .nagios: invocation.isForMonitoring = true
    case .own(let effect): arguments.set(option, to: try effect.read(option, value))
    }
  }
}

extension Verb {
  /// The verb with the name that a user has typed.
  static func find(_ name: String) throws(UsageError) -> Verb {
    if let verb = Verb.named(name) { return verb }
    let names = Verb.all.map(\.name)
    let known = names + Verb.all.flatMap(\.synonyms)
    throw UsageError(
      """
      there is no verb '\(name)'\(Suggestion.text(for: name, among: known)). \
      The verbs are \(names.joined(separator: ", ")); see 'pathctl help'.
      """)
  }
}

extension Option {
  /// The field of a path in the value.
  fileprivate func field(from value: String) throws(UsageError) -> PathField {
    guard let field = PathField(name: value) else {
      throw UsageError(
        """
        \(value.quotedInLine) is no field of a path\(Suggestion.text(for: value, among: PathField.names)). \
        The fields are \(PathField.names.joined(separator: ", ")).
        """)
    }
    return field
  }

  /// The form of output in the value.
  fileprivate func format(from value: String) throws(UsageError) -> PathForm {
    if value == "waybar" { return .waybar }
    do throws(PathTemplate.ParseError) {
      return .template(try PathTemplate(value))
    } catch {
      throw rejection(of: value, as: "format", because: error.reason)
    }
  }
}

internal import PathConfiguration
package import PathModel
package import Programs

/// The command line of `pathmonitord`.
package struct DaemonOptions: Hashable, Sendable {
  /// An action of the program.
  package enum Command: Hashable, Sendable {
    /// Serve.
    case serve
    /// Report the mistakes in the configuration; with a path, in that file alone.
    case checkConfiguration(String?)
    /// Show help.
    case help
    /// Show the version.
    case version
  }

  /// The action to perform.
  package var command = Command.serve
  /// The path of the socket; `nil` for the usual one.
  package var socketPath: String?
  /// The configuration file; `nil` for the usual one, if it exists.
  package var configurationPath: String?
  /// The settle time for subscribers that set none; `nil` for the configured time.
  package var settle: Duration?
  /// The probes; `nil` for the configured ones.
  package var probes: ProbeAddresses?
  /// Whether changes are written even if standard error is not the journal.
  package var isVerbose = false

  /// The effect of an option.
  package enum Effect: Hashable, Sendable {
    case socket, configuration, checkConfiguration, settle, probe, verbose, help, version
  }

  /// The table of options: the source of parsing, help, messages and completion.
  package static let options: [CommandLineOption<Effect>] = [
    CommandLineOption(
      effect: .socket, name: "--socket", value: .path, example: "~/.pathmonitor/socket",
      summary: "Listen here instead of at \(PathMonitorInterface.socketPath)"),
    CommandLineOption(
      effect: .configuration, name: "--config", value: .path, example: ConfigurationFiles.defaultPath,
      summary: "Read this configuration instead of \(ConfigurationFiles.defaultPath)"),
    CommandLineOption(
      effect: .checkConfiguration, name: "--check-config",
      summary: "Report every mistake in the configuration, or in FILE alone; exit status 1 if there is any"),
    CommandLineOption(
      effect: .settle, name: "--settle", value: .time, example: "200ms",
      summary: "How long a change must last for clients that set no time; 0 = publish it at once"),
    CommandLineOption(
      effect: .probe, name: "--sample-address", formerName: "--probe", value: .address, example: "10.0.0.1",
      summary: "An address whose route stands for the Internet; may be repeated"),
    CommandLineOption(effect: .verbose, name: "--verbose", summary: "Write each change also where there is no journal"),
    CommandLineOption(effect: .help, name: "--help", short: "-h", summary: "Show help"),
    CommandLineOption(effect: .version, name: "--version", short: "-V", summary: "Show the version"),
  ]

  /// The options for the manual and for shells.
  package static var documentedOptions: [DocumentedOption] { options.map { DocumentedOption($0) } }

  private static var usage: String {
    HelpTable.usage(["pathmonitord"], options: options.filter { $0.effect != .checkConfiguration }.dropLast(2))
  }
  private static let checkUsage = "pathmonitord --check-config [FILE | --config PATH]"

  /// The output of `--help`.
  package static var helpText: String {
    """
    pathmonitord publishes the network path of this machine, and each change of it, to programs.

    Usage: \(usage)
           \(checkUsage)

    Options:
    \(HelpTable.text(of: options))
    It stays in the foreground. Sockets and notifications of systemd are used when there are any.
    SIGHUP reads the configuration again, SIGTERM ends it.

    """
  }

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` with the mistake and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var reader = CommandLineReader<Effect>(arguments)
    var addresses: [IPAddress] = []
    var operands: [String] = []
    while let argument = try reader.next(options: Self.options, usage: Self.usage) {
      switch argument {
      case .operand(let operand): operands.append(operand)
      case .option(let option, let value): try apply(option, value, &addresses)
      }
    }
    if !addresses.isEmpty { probes = ProbeAddresses(addresses) }
    try apply(operands)
  }

  /// Applies the file to check, the only possible operand.
  private mutating func apply(_ operands: [String]) throws(UsageError) {
    var operands = operands
    if case .checkConfiguration = command, let file = operands.first {
      if file.isEmpty { throw UsageError("the file to check has no name. Correct use: \(Self.checkUsage)") }
      guard configurationPath == nil else {
        throw UsageError("--check-config checks FILE or --config, not both. Correct use: \(Self.checkUsage)")
      }
      command = .checkConfiguration(file)
      operands.removeFirst()
    }
    if let operand = operands.first {
      throw UsageError("'\(operand)' is one argument too many. Correct use: \(Self.usage)")
    }
  }

  private mutating func apply(
    _ option: CommandLineOption<Effect>, _ value: String, _ addresses: inout [IPAddress]
  ) throws(UsageError) {
    switch option.effect {
    case .socket: socketPath = try option.path(from: value)
    case .configuration: configurationPath = try option.path(from: value)
    case .checkConfiguration: command = .checkConfiguration(nil)
    case .settle: settle = try option.time(from: value)
    case .probe: try option.addProbe(value, to: &addresses)
    case .verbose: isVerbose = true
    case .help: command = .help
    case .version: command = .version
    }
  }
}

extension CompletedProgram {
  /// `pathmonitord`, from its table of options.
  package static var pathmonitord: CompletedProgram {
    CompletedProgram(plain: Form(operands: [.file], options: DaemonOptions.documentedOptions))
  }
}

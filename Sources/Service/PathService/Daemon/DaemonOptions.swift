internal import PathConfiguration
package import PathModel
package import Programs

/// The command line of `pathmonitord`.
package struct DaemonOptions: CommandSyntax, Hashable {
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
  private var addresses: [IPAddress] = []
  /// The probes; `nil` for the configured ones.
  package var probes: ProbeAddresses? { addresses.isEmpty ? nil : ProbeAddresses(addresses) }
  /// Whether changes are written even if standard error is not the journal.
  package var isVerbose = false

  package static let name = "pathmonitord"
  package static let summary = "publishes the network path of this machine, and each change of it, to programs"
  package static let operands = [Placeholder.file.optional]

  /// The table of options: the source of parsing, help, messages and completion.
  package static let options: [Option<DaemonOptions>] = [
    Option(
      "--socket", .path, example: "~/.pathmonitor/socket",
      summary: "Listen here instead of at \(PathMonitorInterface.socketPath)"
    ) { (options, value) throws(UsageError) in options.socketPath = try value.path() },
    Option(
      "--config", .path, example: ConfigurationFiles.defaultPath,
      summary: "Read this configuration instead of \(ConfigurationFiles.defaultPath)"
    ) { (options, value) throws(UsageError) in options.configurationPath = try value.path() },
    Option(
      "--check-config",
      summary: "Report every mistake in the configuration, or in FILE alone; exit status 1 if there is any"
    ) { $0.command = .checkConfiguration(nil) },
    Option(
      "--settle", .time, example: "200ms",
      summary: "How long a change must last for clients that set no time; 0 = publish it at once"
    ) { (options, value) throws(UsageError) in options.settle = try value.time() },
    Option(
      "--sample-address", formerName: "--probe", .address, example: "10.0.0.1",
      summary: "An address whose route stands for the Internet; may be repeated"
    ) { (options, value) throws(UsageError) in try value.add(to: &options.addresses) },
    Option("--verbose", summary: "Write each change also where there is no journal") { $0.isVerbose = true },
    Option("--help", short: "-h", summary: "Show help") { $0.command = .help },
    Option("--version", short: "-V", summary: "Show the version") { $0.command = .version },
  ]

  private static var usage: String {
    HelpTable.usage([name], options: options.filter { $0.name != "--check-config" }.dropLast(2))
  }
  private static let checkUsage = "pathmonitord --check-config [FILE | --config PATH]"

  /// The output of `--help`.
  package static var helpText: String {
    """
    \(name) \(summary).

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
    var reader = CommandLineReader(arguments)
    var operands = try reader.operands(into: &self, Self.options, usage: Self.usage)
    // The file to check is the only possible operand.
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
}

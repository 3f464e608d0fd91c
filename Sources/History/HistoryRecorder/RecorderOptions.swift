internal import HistoryStore
internal import PathConfiguration
internal import PathModel
package import Programs

/// The command line of `pathmonitor-history record`.
package struct RecorderOptions: Hashable, Sendable {
  /// An action of the verb.
  package enum Command: Hashable, Sendable {
    /// Record.
    case record
    /// Report the mistakes in the configuration.
    case checkConfiguration
    /// Show help.
    case help
  }

  /// The action to perform.
  package var command = Command.record
  /// The file of the history.
  package var file = StoredHistory.usualFile
  /// The socket of the service; `nil` for the usual one.
  package var socket: String?
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?

  /// The effect of an option.
  package enum Effect: Hashable, Sendable {
    case file, socket, configuration, checkConfiguration, help
  }

  /// The table of options: the source of parsing, help and messages.
  package static let options: [CommandLineOption<Effect>] = [
    CommandLineOption(
      effect: .file, name: "--file", value: .path, example: "~/history.sqlite",
      summary: "Record here instead of in \(StoredHistory.usualFile)"),
    CommandLineOption(
      effect: .socket, name: "--socket", value: .path, example: "~/.pathmonitor/socket",
      summary: "Ask the service here instead of at \(PathMonitorInterface.socketPath)"),
    CommandLineOption(
      effect: .configuration, name: "--config", value: .path,
      example: "\(ConfigurationSelection.roots[0])/\(HistoryConfiguration.mainName)",
      summary: "Read this configuration instead of \(ConfigurationSelection.roots[0])/\(HistoryConfiguration.mainName)"),
    CommandLineOption(
      effect: .checkConfiguration, name: "--check-config",
      summary: "Report every mistake in the configuration; exit status 1 if there is any"),
    CommandLineOption(effect: .help, name: "--help", short: "-h", summary: "Show help"),
  ]

  private static var usage: String {
    HelpTable.usage(["pathmonitor-history", "record"], options: options.dropLast(1))
  }

  /// The output of `--help`.
  package static var helpText: String {
    """
    pathmonitor-history record writes each change of the network path to a file.

    Usage: \(usage)

    Options:
    \(HelpTable.text(of: options))
    systemd starts it: systemctl enable --now pathmonitor-history.service

    """
  }

  /// Parses the arguments after the verb.
  ///
  /// - Throws: ``UsageError`` with the mistake and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var reader = CommandLineReader<Effect>(arguments)
    while let argument = try reader.next(options: Self.options, usage: Self.usage) {
      switch argument {
      case .operand(let operand):
        throw UsageError("'\(operand)' is one argument too many. Correct use: \(Self.usage)")
      case .option(let option, let value):
        switch option.effect {
        case .file: file = try option.path(from: value)
        case .socket: socket = try option.path(from: value)
        case .configuration: configurationPath = try option.path(from: value)
        case .checkConfiguration: command = .checkConfiguration
        case .help: command = .help
        }
      }
    }
  }
}

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

  /// The table of options: the source of parsing, help and messages.
  package static let options: [Option<RecorderOptions>] = [
    Option(
      "--file", .path, example: "~/history.sqlite", summary: "Record here instead of in \(StoredHistory.usualFile)"
    ) { (options, value) throws(UsageError) in options.file = try value.path() },
    Option(
      "--socket", .path, example: "~/.pathmonitor/socket",
      summary: "Ask the service here instead of at \(PathMonitorInterface.socketPath)"
    ) { (options, value) throws(UsageError) in options.socket = try value.path() },
    Option(
      "--config", .path, example: "\(ConfigurationSelection.roots[0])/\(HistoryConfiguration.mainName)",
      summary: "Read this configuration instead of \(ConfigurationSelection.roots[0])/\(HistoryConfiguration.mainName)"
    ) { (options, value) throws(UsageError) in options.configurationPath = try value.path() },
    Option("--check-config", summary: "Report every mistake in the configuration; exit status 1 if there is any") {
      $0.command = .checkConfiguration
    },
    Option("--help", short: "-h", summary: "Show help") { $0.command = .help },
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
    var reader = CommandLineReader(arguments)
    let operands = try reader.operands(into: &self, Self.options, usage: Self.usage)
    if let operand = operands.first {
      throw UsageError("'\(operand)' is one argument too many. Correct use: \(Self.usage)")
    }
  }
}

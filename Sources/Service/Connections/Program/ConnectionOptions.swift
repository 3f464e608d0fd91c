internal import PathConfiguration
internal import PathModel
package import Programs

/// The command line of `pathmonitor-connections`.
package struct ConnectionOptions: Hashable, Sendable {
  /// An action: follow and end, report the mistakes in the configuration, show version or help.
  package enum Command: Hashable, Sendable { case follow, checkConfiguration, version, help }

  /// The action to perform.
  package var command = Command.follow
  /// The socket of the service; `nil` for the usual one.
  package var socket: String?
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?

  private static let usualFile = "\(ConfigurationSelection.roots[0])/\(ConnectionConfiguration.mainName)"

  /// The table of options: the source of parsing, help and messages.
  package static let options: [Option<ConnectionOptions>] = [
    Option(
      "--socket", .path, example: "~/.pathmonitor/socket",
      summary: "Ask the service here instead of at \(PathMonitorInterface.socketPath)"
    ) { (options, value) throws(UsageError) in options.socket = try value.path() },
    Option(
      "--config", .path, example: usualFile, summary: "Read this configuration instead of \(usualFile)"
    ) { (options, value) throws(UsageError) in options.configurationPath = try value.path() },
    Option("--check-config", summary: "Report every mistake in the configuration; exit status 1 if there is any") {
      $0.command = .checkConfiguration
    },
    Option("--version", short: "-V", summary: "Show the version") { $0.command = .version },
    Option("--help", short: "-h", summary: "Show help") { $0.command = .help },
  ]

  private static var usage: String { HelpTable.usage(["pathmonitor-connections"], options: options.dropLast(2)) }

  /// The output of `--help`.
  package static var helpText: String {
    """
    pathmonitor-connections ends TCP connections whose local address was removed, once there is a path again.

    Usage: \(usage)

    Options:
    \(HelpTable.text(of: options))
    systemd starts it: systemctl enable --now pathmonitor-connections.service

    """
  }

  /// Parses the arguments.
  ///
  /// - Throws: ``UsageError`` with the mistake and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var reader = CommandLineReader(arguments)
    let operands = try reader.operands(into: &self, Self.options, usage: Self.usage)
    if let operand = operands.first {
      throw UsageError("\(operand.quotedInLine) is one argument too many. Correct use: \(Self.usage)")
    }
  }
}

package import Programs

/// The effect of an option of `pathctl`, for the parser.
package enum OptionEffect: Hashable, Sendable {
  case json, settle, probe, direct, socket, configuration, condition, nagios, help, version, field, quiet, format
  /// The value is for the verb alone.
  case own(OwnEffect)
}

/// An option of `pathctl`.
package typealias Option = CommandLineOption<OptionEffect>

extension Option {
  /// The options of every verb.
  package static let everywhere = [
    Option(effect: .help, name: "--help", short: "-h", summary: "Show help"),
    Option(effect: .version, name: "--version", short: "-V", summary: "Show the version"),
  ]
  /// The options of verbs that show the path.
  package static let forQuestions = [json, settle, probe, configuration, direct, socket]
  /// The options of verbs that judge the path.
  package static let forRequirements = [json, probe, configuration, direct, socket]
  /// The options of verbs that run programs while they follow the path.
  package static let forPrograms = [probe, configuration, direct, socket]
  /// The options of the verb that shows the configuration.
  package static let forConfiguration = [json, configuration]
  /// The options of the verb that prints metrics, beside those of its output.
  package static let forMetrics = [socket]
  /// The options of verbs that only the service can serve.
  package static let forService = [json, socket]

  private static let json = Option(effect: .json, name: "--json", summary: "Print JSON, one object a line")
  private static let settle = Option(
    effect: .settle, name: "--settle", value: .time, example: "200ms",
    summary: "How long a change must last before it is shown; 0 = show it at once")
  private static let probe = Option(
    effect: .probe, name: "--sample-address", formerName: "--probe", value: .address, example: "10.0.0.1",
    summary: "Its route stands for the Internet; may be repeated; implies --direct")
  private static let configuration = Option(
    effect: .configuration, name: "--config", value: .path, example: "/tmp/test.conf",
    summary: "Read this configuration, not the usual one; implies --direct")
  private static let direct = Option(
    effect: .direct, name: "--direct", summary: "Ask the kernel instead of the service")
  private static let socket = Option(
    effect: .socket, name: "--socket", value: .path, example: "~/.pathmonitor/socket",
    summary: "Where the service listens; also PATHMONITOR_SOCKET in the environment")
  static let timeout = OwnOption.time(
    "--timeout", example: "30s",
    summary: "Give up after so long, with exit status 124; 0 = take the path as it is")
  static let field = Option(
    effect: .field, name: "--field", value: Placeholder("FIELD", .words(PathField.names)), example: "interface",
    summary: "Print one value alone: a field of the path, or 'interface'")
  static let quiet = Option(
    effect: .quiet, name: "--quiet", short: "-q", summary: "Print nothing but mistakes: the exit status is the answer")
  static let format = Option(
    effect: .format, name: "--format", value: Placeholder("FORMAT", .words(["waybar"])),
    example: "'{kind} {interface}'",
    summary: "Print a line for a status bar: 'waybar', or a text with {NAME} in it")
  static let noPager = OwnOption(flag: "--no-pager", summary: "Do not show the output in a pager")
  static let nagios = Option(
    effect: .nagios, name: "--nagios",
    summary: "One line for Nagios and its relatives, with their exit statuses 0 to 3")
  static let condition = Option(
    effect: .condition, name: "--condition",
    summary: "For ExecCondition=: exit status 255 for everything but yes and no")
}

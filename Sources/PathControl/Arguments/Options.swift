package import CommandLineOptions

/// The effect of an option of `pathctl`, for the parser.
package enum OptionEffect: Hashable, Sendable {
  case json, settle, probe, direct, socket, timeout, condition, interface, duration, why, hook, onLoss, grace, onAfter,
    offAfter, configuration, help, version, field, quiet, format, count, directory, limit
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
  /// The options of the verb that runs a command.
  package static let forCommands = [timeout, onLoss, grace, quiet, probe, configuration, direct, socket]
  /// The options of the verb that drives targets.
  package static let forTargets = [onAfter, offAfter, probe, configuration, direct, socket]
  /// The options of the verb that runs the programs of a directory.
  package static let forHooks = [directory, limit, probe, configuration, direct, socket]
  /// The options of the verb that shows the configuration.
  package static let forConfiguration = [json, configuration]
  /// The options of verbs that only the service can serve.
  package static let forService = [json, socket]

  private static let json = Option(effect: .json, name: "--json", summary: "Print JSON, one object a line")
  private static let settle = Option(
    effect: .settle, name: "--settle", value: .time, example: "200ms",
    summary: "How long a change must last before it is shown; 0 = show it at once")
  private static let probe = Option(
    effect: .probe, name: "--probe", value: .address, example: "10.0.0.1",
    summary: "An address whose route stands for the Internet; may be repeated; implies --direct")
  private static let configuration = Option(
    effect: .configuration, name: "--config", value: .path, example: "/tmp/test.conf",
    summary: "Read this configuration, not the usual one; implies --direct")
  private static let direct = Option(
    effect: .direct, name: "--direct", summary: "Ask the kernel instead of the service")
  private static let socket = Option(
    effect: .socket, name: "--socket", value: .path, example: "~/.pathmonitor/socket",
    summary: "Where the service listens; also PATHMONITOR_SOCKET in the environment")
  static let timeout = Option(
    effect: .timeout, name: "--timeout", value: .time, example: "30s",
    summary: "Give up after so long, with exit status 124; 0 = take the path as it is now")
  static let field = Option(
    effect: .field, name: "--field", value: Placeholder("FIELD", .words(PathField.names)), example: "interface",
    summary: "Print one value alone: a key of the JSON, or 'interface'")
  static let quiet = Option(
    effect: .quiet, name: "--quiet", short: "-q", summary: "Print nothing but mistakes: the exit status is the answer")
  static let format = Option(
    effect: .format, name: "--format", value: Placeholder("FORMAT", .words(["waybar"])),
    example: "'{kind} {interface}'",
    summary: "Print a line for a status bar: 'waybar', or a text with {NAME} in it")
  static let count = Option(
    effect: .count, name: "--count", value: Placeholder("NUMBER"), example: "1", summary: "End after so many updates")
  private static let directory = Option(
    effect: .directory, name: "--directory", value: .path, example: "/etc/pathmonitor/hooks.d",
    summary: "Where the programs are, if not in /etc/pathmonitor/hooks.d")
  private static let limit = Option(
    effect: .limit, name: "--timeout", value: .time, example: "30s",
    summary: "How long a program may take before it is ended; else 90s")
  static let condition = Option(
    effect: .condition, name: "--condition",
    summary: "For ExecCondition=: exit status 255 for everything but yes and no")
  static let interface = Option(
    effect: .interface, name: "--interface", value: Placeholder("NAME", .interface), example: "wlan0",
    summary: "Only for this interface; without it, for the one that carries the traffic")
  static let duration = Option(
    effect: .duration, name: "--for", value: .time, example: "2h",
    summary: "How long the override lasts; without it, until it is cleared or the next boot")
  static let why = Option(
    effect: .why, name: "--why", value: Placeholder("TEXT"), example: "'hotel Wi-Fi is free'",
    summary: "The reason, which is shown with the path")
  static let hook = Option(
    effect: .hook, name: "--exec", value: Placeholder("COMMAND", .program), example: "'logger $PATH_STATUS'",
    summary: "Run this with /bin/sh at each update instead of showing it")
  private static let onLoss = Option(
    effect: .onLoss, name: "--on-loss", value: Placeholder("ACTION", .words(LossReaction.allCases.map(\.rawValue))),
    example: "pause",
    summary: "What to do when the path is lost: stop (the default), pause, continue")
  private static let grace = Option(
    effect: .grace, name: "--grace", value: .time, example: "30s",
    summary: "How long the command may take to end before it is killed; 5s by default")
  private static let onAfter = Option(
    effect: .onAfter, name: "--on-after", value: .time, example: "10s",
    summary: "Start a target when the path has been as required for this time; 2s by default")
  private static let offAfter = Option(
    effect: .offAfter, name: "--off-after", value: .time, example: "5min",
    summary: "Stop it when the path has not been as required for this time; 30s by default")
}

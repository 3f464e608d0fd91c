internal import JSON
internal import PathConfiguration
internal import PathModel
internal import Programs

extension Verb {
  /// Shows the configuration.
  package static let configuration = Verb(
    name: "config", summary: "Show the configuration and where it comes from", options: Option.forConfiguration,
    details: [
      .text("The configuration is read from files, as the service reads them when it starts or reloads:"),
      .apart(
        """
        /etc/pathmonitor/pathmonitord.conf and /etc/pathmonitor/pathmonitord.conf.d/*.conf, likewise below \
        /run/pathmonitor-config and /usr/lib/pathmonitor.
        """),
      .text("Of files with the same name, only the first of these is used; all others are read by name."),
    ],
    exits: [
      Exit(ExitStatus.yes, "all files are correct"), Exit(ExitStatus.no, "some are not, and are left out"),
    ]
  ) { _ in ConfigurationOrder() }
}

/// Show the configuration with the source of each part of it.
package struct ConfigurationOrder: VerbOrder {
  /// The order of `pathctl config`.
  package init() {}

  /// Reads the files, and prints the settings in effect.
  package func run(_ invocation: Invocation) -> Int32 {
    do throws(ConfigurationFiles.Problem) {
      let reading = try ConfigurationFiles.read(invocation.configurationPath)
      for problem in reading.problems { PathControl.complain(problem.description) }
      let status = reading.problems.isEmpty ? ExitStatus.yes : ExitStatus.no
      guard invocation.isJSON else { return PathControl.say(ConfigurationPicture.text(reading), status) }
      return PathControl.say(JSONWriter.line { ConfigurationPicture.write(reading, to: &$0) }, status)
    } catch {
      PathControl.complain(error.description)
      return ExitStatus.usage
    }
  }
}

internal import PathConfiguration
internal import PathModel
package import Programs

/// `pathctl config`: shows the configuration with the source of each part of it.
package struct ConfigurationVerb: Verb {
  package static let name = "config"
  package static let summary = "Show the configuration and where it comes from"
  package static var ownOptions: [Option<ConfigurationVerb>] { [.json, .configuration] }
  package static let details = """
    The configuration is read from files, as the service reads them when it starts or reloads:
      /etc/pathmonitor/pathmonitord.conf and /etc/pathmonitor/pathmonitord.conf.d/*.conf, likewise below
      /run/pathmonitor-config and /usr/lib/pathmonitor.
    Of files with the same name, only the first of these is used; all others are read by name.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "all files are correct"), (ExitStatus.no, "some are not, and are left out"),
  ]

  package var invocation = Invocation()

  package init() {}

  /// Reads the files, and prints the settings in effect.
  package func run() -> Int32 {
    do throws(ConfigurationFiles.Problem) {
      let reading = try ConfigurationFiles.read(invocation.configurationPath)
      for problem in reading.problems { PathControl.complain(problem.description) }
      let status = reading.problems.isEmpty ? ExitStatus.yes : ExitStatus.no
      guard invocation.isJSON else { return PathControl.say(ConfigurationPicture.text(reading), status) }
      return PathControl.say(ConfigurationPicture.json(reading), status)
    } catch {
      PathControl.complain(error.description)
      return ExitStatus.usage
    }
  }
}

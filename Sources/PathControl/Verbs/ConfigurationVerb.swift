internal import JSON
internal import PathModel
internal import PathSettings

/// The verb `config`: what the configuration files say together, and which of them says what.
struct ConfigurationVerb {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Reads the files, and prints what counts of them. Returns the exit status.
  func run() -> Int32 {
    do throws(ConfigurationFiles.Problem) {
      let reading = try ConfigurationFiles.read(invocation.configurationPath)
      for problem in reading.problems { PathControl.complain(problem.description) }
      let status = reading.problems.isEmpty ? ExitStatus.yes : ExitStatus.no
      guard invocation.isJSON else { return PathControl.say(ConfigurationPicture.text(reading), status) }
      return PathControl.say(JSONWriter.line { ConfigurationPicture.write(reading, to: &$0) }, status)
    } catch {
      PathControl.complain(error.description)
      return ExitStatus.no
    }
  }
}

internal import PathModel
internal import PathSettings

/// `pathmonitord --check-config`: what the daemon would say to its configuration.
enum ConfigurationCheck {
  /// Checks one file, or all that the daemon would read, and tells every mistake. Returns the exit status: 0 when there
  /// is none, else 1.
  static func run(_ path: String?, say: (String) -> Int32, complain: (String) -> Void) -> Int32 {
    do throws(ConfigurationFiles.Problem) {
      if let path {
        try ConfigurationFiles.check(path)
        return say("\(path) is correct\n")
      }
      let reading = try ConfigurationFiles.read(nil)
      for problem in reading.problems { complain(problem.description) }
      guard reading.problems.isEmpty else { return 1 }
      let count = reading.configuration.files.count
      let rules = reading.configuration.rules.rules.count
      return say("the configuration is correct: \(count) files, \(rules) of them with a rule for interfaces\n")
    } catch {
      complain(error.description)
      return 1
    }
  }
}

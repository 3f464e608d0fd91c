internal import PathModel
internal import PathSettings

/// `pathmonitord --check-config`: the mistakes that the daemon would find in its configuration.
enum ConfigurationCheck {
  /// Checks one file, or all files that the daemon would read, and reports every mistake. Returns the exit status: 0
  /// without mistakes, else 1.
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

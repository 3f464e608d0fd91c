internal import PathConfiguration
internal import PathDecisions
internal import PathModel
internal import Programs
internal import SystemIO

/// `pathmonitord --check-config`: the mistakes that the daemon would find in its configuration.
struct ConfigurationCheck {
  /// The files to check.
  enum Subject: Hashable, Sendable {
    /// One file alone.
    case file(String)
    /// All files that the daemon reads; with a path, that file and those in the directory of its name and `.d`.
    case all(named: String?)
  }

  /// The account of the service under systemd (`User=`, `SupplementaryGroups=`). Without the package there may be none;
  /// its rights are then those of nobody.
  private static let user = "pathmonitord"
  private static let group = "pathmonitor-state"
  private static let nobody: UInt32 = 65_534

  private let program: Program

  /// A check that the program prints.
  init(_ program: Program) {
    self.program = program
  }

  /// Checks the files, and reports every mistake. Returns the exit status: 0 without mistakes, else 1.
  func run(_ subject: Subject) -> Int32 {
    do throws(ConfigurationFiles.Problem) {
      switch subject {
      case .file(let path):
        try ConfigurationFiles.check(path)
        return conclude(readable: [path]) { "\(path) is correct\n" }
      case .all(let path):
        let reading = try ConfigurationFiles.read(path)
        for sentence in reading.problems.flatMap(\.sentences) { program.complain(sentence) }
        let configuration = reading.configuration
        let files = configuration.files
        return conclude(readable: files.map(\.path)) {
          guard reading.problems.isEmpty else { return nil }
          let rules = configuration.rules.rules.count
          return "the configuration is correct: \(files.count) files, \(rules) of them with a rule for interfaces\n"
        }
      }
    } catch {
      for sentence in error.sentences { program.complain(sentence) }
      return ExitStatus.no
    }
  }

  /// Checks whether the service can read the files that this process could read, and prints the result.
  ///
  /// - Parameter result: The text for files without mistakes; `nil` if there are any.
  private func conclude(readable paths: [String], _ result: () -> String?) -> Int32 {
    let user = UserDatabase.user(named: Self.user) ?? Self.nobody
    let groups = [UserDatabase.group(named: Self.group)].compactMap(\.self)
    // Files elsewhere are drafts, or for a daemon that somebody runs as another user.
    let obstacles = paths.filter(ConfigurationFiles.isUsual).compactMap {
      ConfigurationFiles.obstacle(toReading: $0, user: user, groups: groups)
    }
    obstacles.forEach(program.complain)
    guard obstacles.isEmpty, let text = result() else { return ExitStatus.no }
    return program.say(text)
  }
}

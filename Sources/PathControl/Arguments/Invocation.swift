package import CommandLineOptions
package import PathModel

/// A command line that has been understood.
package struct Invocation: Hashable, Sendable {
  /// What is to be done.
  package enum Command: Hashable, Sendable {
    /// Show the path.
    case status
    /// Follow the path; with a command, run it at each update.
    case watch(hook: String?)
    /// Wait until the path is as required; `timeout` is `nil` for as long as it takes.
    case wait(PathRequirement, timeout: Duration?)
    /// Run a command while the path is as required.
    case run(Run)
    /// Tell whether the path is as required; for `ExecCondition=` if it is a condition.
    case check(PathRequirement, isCondition: Bool)
    /// Tell how the verdict came about.
    case explain
    /// List the interfaces.
    case interfaces
    /// Show the path to a host.
    case route(host: String)
    /// Override a field.
    case setOverride(field: String, value: String, interface: String?, duration: Duration?, why: String?)
    /// Take overrides back.
    case clearOverride(field: String?, interface: String?)
    /// List the overrides.
    case listOverrides
    /// Show how the service is doing.
    case health
    /// Have targets started and stopped after the path has been so for so long.
    case targets(onAfter: Duration, offAfter: Duration)
    /// Show the configuration with where each part of it comes from.
    case configuration
    /// Show help, of a verb or in general.
    case help(Verb?)
    /// Show the version.
    case version
  }

  /// What `run` is to do.
  package struct Run: Hashable, Sendable {
    /// When the command runs.
    package var requirement: PathRequirement
    /// What a lost path means for it.
    package var onLoss: LossReaction
    /// How long it may take to end.
    package var grace: Duration
    /// The command and its arguments; never empty.
    package var words: [String]

    /// A command with when and how it runs.
    package init(
      _ words: [String], while requirement: PathRequirement, onLoss: LossReaction = .stop, grace: Duration = .seconds(5)
    ) {
      self.words = words
      self.requirement = requirement
      self.onLoss = onLoss
      self.grace = grace
    }
  }

  /// What is to be done.
  package var command = Command.status
  /// Whether to print JSON.
  package var isJSON = false
  /// How long a change must rest; `nil` for the verb's own.
  package var settle: Duration?
  /// The probes that were named; `nil` for the standard ones.
  package var probes: ProbeAddresses?
  /// Whether the service is not to be asked.
  package var isDirect = false
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?
  /// Where the service listens; `nil` for the usual place.
  package var socketPath: String?

  /// Understands the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` with what was wrong and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var parser = ArgumentParser(arguments)
    self = try parser.parse()
  }

  /// What is understood of no arguments.
  init() {}
}

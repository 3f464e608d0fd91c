package import KernelPath
internal import PathFollowing
package import PathModel
package import Programs

/// `pathctl check`: reports by the exit status whether the path is as required.
package struct CheckVerb: Verb {
  package static let name = "check"
  package static let operands = [Placeholder.requirement]
  package static let summary = "Report by the exit status whether the path is as required"
  package static var ownOptions: [Option<CheckVerb>] { [condition, nagios, .quiet] + Option.forRequirements }
  package static let details = """
    With --condition, for ExecCondition= in units, every exit status but 0 and 1 is 255: a mistake fails
    the unit instead of skipping it.
    With --nagios, for Nagios, Icinga and their relatives, one line says how the path is, with
    performance data, and the exit status is 0 (OK: as required), 1 (WARNING: as required, but with a
    doubt, such as a router that does not answer, or a validation that is partial, portal or
    unanswered), 2 (CRITICAL: not as required) or 3 (UNKNOWN: it cannot be known, or the command line
    is wrong).
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "yes"), (ExitStatus.no, "no"), (ExitStatus.cannotKnow, "it cannot be known"),
  ]
  package static let examples = [
    (purpose: "Decide in a script", lines: "if pathctl check unmetered,not-vpn; then rsync -a photos backup:; fi"),
    (
      purpose: "Skip a unit when the network costs money",
      lines: """
      [Service]
      ExecCondition=/usr/bin/pathctl check unmetered --condition
      ExecStart=/usr/local/bin/backup
      """
    ),
    (purpose: "Watch a machine with Nagios or Icinga", lines: "pathctl check connected --nagios"),
  ]

  private static var condition: Option<CheckVerb> {
    Option("--condition", summary: "For ExecCondition=: exit status 255 for everything but yes and no") {
      $0.invocation.isCondition = true
    }
  }
  private static var nagios: Option<CheckVerb> {
    Option("--nagios", summary: "One line for Nagios and its relatives, with their exit statuses 0 to 3") {
      $0.invocation.isForMonitoring = true
    }
  }

  package var invocation = Invocation()
  /// The requirement for the path.
  package private(set) var requirement = PathRequirement.connected

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    requirement = try Self.requirement(operands[0])
  }

  /// Judges the path; the exit status is the answer.
  package func run() throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation, requirement: requirement).answer { source throws(PathSourceError) in
      if invocation.isForMonitoring {
        let explained = try source.explained(withSteps: false)
        return PathControl.say(MonitoringLine(requirement, on: explained.path, causes: explained.causes))
      }
      let path = try source.path()
      let status =
        switch requirement.verdict(on: path) {
        case .met: ExitStatus.yes
        case .notMet: ExitStatus.no
        case .unknown: invocation.status(ExitStatus.cannotKnow)
        }
      if status != ExitStatus.yes, status != ExitStatus.no, let doubt = CostDoubt.reasonWithoutVerdict(path) {
        invocation.note(doubt)
      }
      let list = { () throws(PathSourceError) in try source.interfaces() }
      if path.knowledge == .known {
        try NamedInterfaces.warn(of: requirement, on: path, among: list) { invocation.note($0) }
      }
      // The exit status is the answer: units and scripts want no output.
      guard invocation.isJSON, !invocation.isQuiet else { return status }
      return invocation.status(PathControl.say(requirement.applied(to: path).jsonLine, status))
    }
  }
}

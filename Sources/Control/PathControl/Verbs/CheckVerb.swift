package import KernelPath
internal import PathFollowing
package import PathModel
internal import Programs

extension Verb {
  /// Checks whether the path is as required.
  package static let check = Verb(
    name: "check", operands: [.requirement], summary: "Report by the exit status whether the path is as required",
    options: [.condition, .nagios, .quiet] + Option.forRequirements,
    details: [
      .text(
        """
        With --condition, for ExecCondition= in units, every exit status but 0 and 1 is \(ExitStatus.conditionFailed): \
        a mistake fails the unit instead of skipping it.
        """),
      .text(
        """
        With --nagios, for Nagios, Icinga and their relatives, one line says how the path is, with performance data, \
        and the exit status is 0 (OK: as required), 1 (WARNING: as required, but with a doubt, such as a router that \
        does not answer), 2 (CRITICAL: not as required) or 3 (UNKNOWN: it cannot be known, or the command line is \
        wrong).
        """),
    ],
    exits: [Exit(ExitStatus.yes, "yes"), Exit(ExitStatus.no, "no"), Exit(ExitStatus.cannotKnow, "it cannot be known")],
    examples: [
      Example(
        "Decide in a script",
        """
        if pathctl check unmetered,not-vpn; then rsync -a photos backup:; fi
        """),
      Example(
        "Skip a unit when the network costs money",
        """
        [Service]
        ExecCondition=/usr/bin/pathctl check unmetered --condition
        ExecStart=/usr/local/bin/backup
        """),
      Example("Watch a machine with Nagios or Icinga", "pathctl check connected --nagios"),
    ]
  ) { arguments throws(UsageError) in CheckOrder(try arguments.requirement()) }
}

/// Check whether the path is as required.
package struct CheckOrder: VerbOrder {
  private let requirement: PathRequirement

  /// The order of `pathctl check`.
  package init(_ requirement: PathRequirement) {
    self.requirement = requirement
  }

  /// Judges the path; the exit status is the answer.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
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
      if status != ExitStatus.yes, status != ExitStatus.no, let doubt = CostDoubt.sentence(path) {
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

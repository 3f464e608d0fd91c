package import KernelPath
package import PathModel
internal import Programs
internal import SystemIO

extension Verb {
  /// Waits for a path.
  package static let wait = Verb(
    name: "wait", operands: [.requirement], summary: "Wait until the path is as required",
    options: [Option.timeout.option, .field, .quiet] + Option.forRequirements,
    details: [
      .text(
        """
        On a terminal a line says what the path is meanwhile. --json and --field print the path in the end. With \
        --timeout 0 the path as it is now decides.
        """)
    ],
    exits: [
      Exit(ExitStatus.yes, "the path is as required"), Exit(ExitStatus.timedOut, "the time is over"),
      Exit(ExitStatus.cannotKnow, "it cannot be known"),
    ],
    examples: [
      Example(
        "Wait for the network, but not for ever",
        """
        pathctl wait connected --timeout 1min && git fetch
        """)
    ]
  ) { arguments throws(UsageError) in
    WaitOrder(try arguments.requirement(), timeout: arguments[Option.timeout])
  }
}

/// Wait until the path is as required.
package struct WaitOrder: VerbOrder {
  private let requirement: PathRequirement
  private let timeout: Duration?

  /// The order of `pathctl wait`; `timeout` is `nil` for as long as it takes.
  package init(_ requirement: PathRequirement, timeout: Duration?) {
    (self.requirement, self.timeout) = (requirement, timeout)
  }

  /// Waits for the path.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try WaitVerb(invocation, requirement, timeout: timeout).run()
  }
}

/// `pathctl wait`: waits until the path is as required, or the time is over.
final class WaitVerb: FollowingVerb {
  private let requirement: PathRequirement
  private let timeout: Duration?
  private var latest = NetworkPath.unknown

  init(
    _ invocation: Invocation, _ requirement: PathRequirement, timeout: Duration?
  ) throws(KernelPathError) {
    self.requirement = requirement
    self.timeout = timeout
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    endAfter(timeout) { [unowned self] in self.timeIsUp() }
    let status = try follow(signals: Self.endingSignals)
    if latest.knowledge == .unknown || invocation.isQuiet { return status }
    let shown = requirement.applied(to: latest)
    if invocation.isJSON { return PathControl.say(shown.jsonLine, status) }
    return invocation.form.line(shown).map { PathControl.say("\($0)\n", status) } ?? status
  }

  private func timeIsUp() {
    note("the path has not become '\(requirement)' in time: \(latest)")
    end(ExitStatus.timedOut)
  }

  override func handle(_ path: NetworkPath) {
    let isFirst = latest.knowledge == .unknown
    latest = path
    if isFirst { NamedInterfaces.warn(of: requirement, on: path, invocation, note) }
    if requirement.verdict(on: path) == .met { return end(ExitStatus.yes) }
    noteUndeterminedCost(requirement, path)
    if timeout == .zero { return timeIsUp() }
    showWaiting(for: requirement, path)
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(requirement) }
}

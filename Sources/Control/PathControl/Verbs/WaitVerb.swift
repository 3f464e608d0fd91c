package import KernelPath
package import PathModel
package import Programs
internal import SystemIO

/// `pathctl wait`: waits for a path.
package struct WaitVerb: Verb {
  package static let name = "wait"
  package static let operands = [Placeholder.requirement]
  package static let summary = "Wait until the path is as required"
  package static var ownOptions: [Option<WaitVerb>] {
    [.timeout { $0.timeout = $1 }, .field, .quiet] + Option.forRequirements
  }
  package static let details = """
    On a terminal a line says what the path is meanwhile. --json and --field print the path in the end.
    With --timeout 0 the path as it is now decides.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "the path is as required"), (ExitStatus.timedOut, "the time is over"),
    (ExitStatus.cannotKnow, "it cannot be known"),
  ]
  package static let examples = [
    (
      purpose: "Wait for the network, but not for ever",
      lines: "pathctl wait connected --timeout 1min && git fetch"
    )
  ]

  package var invocation = Invocation()
  /// The requirement for the path.
  package private(set) var requirement = PathRequirement.connected
  /// How long to wait; `nil` for as long as it takes.
  package private(set) var timeout: Duration?

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    requirement = try Self.requirement(operands[0])
  }

  /// Waits for the path.
  package func run() throws(KernelPathError) -> Int32 { try WaitSession(self).run() }
}

/// `pathctl wait` while it runs: until the path is as required, or the time is over.
final class WaitSession: FollowingSession {
  private let requirement: PathRequirement
  private let timeout: Duration?
  private var latest = NetworkPath.unknown

  init(_ verb: WaitVerb) throws(KernelPathError) {
    (requirement, timeout) = (verb.requirement, verb.timeout)
    try super.init(verb.invocation)
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

  override var needOfService: String? { requirement.needOfService }
}

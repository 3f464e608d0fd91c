internal import CommandLineOptions
internal import Glibc
package import KernelPath
package import PathModel
internal import SystemIO

extension Verb {
  /// Waits for a path.
  package static let wait = Verb(
    name: "wait", operands: [.requirement], summary: "Wait until the path is as required",
    options: [.timeout] + Option.forRequirements,
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
  ) { arguments throws(UsageError) in WaitOrder(try arguments.requirement(), timeout: arguments.timeout) }
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
    let timer = loop.makeTimer { [unowned self] in
      PathControl.complain("the path has not become '\(self.requirement)' in time: \(self.latest)")
      self.end(ExitStatus.timedOut)
    }
    timer.set(timeout.map { MonotonicInstant.now.advanced(by: $0) })
    let status = try follow(signals: [SIGINT, SIGTERM, SIGHUP])
    return invocation.isJSON && latest.knowledge != .unknown
      ? PathControl.say(requirement.applied(to: latest).jsonLine, status) : status
  }

  override func handle(_ path: NetworkPath) {
    latest = path
    if requirement.verdict(on: path) == .met { end(ExitStatus.yes) }
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(requirement) }
}

internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// `pathctl wait`: until the path is as required, or the time is over.
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

  override func take(_ path: NetworkPath) {
    latest = path
    if requirement.verdict(on: path) == .met { end(ExitStatus.yes) }
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(requirement) }
}

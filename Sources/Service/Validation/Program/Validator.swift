internal import PathFollowing
internal import PathModel
internal import SystemIO

/// Follows the path as a subscriber of the service, asks hosts when the schedule says so, and reports the verdicts.
///
/// A round holds the loop for ten seconds at most. Meanwhile the path may have changed; the service then refuses the
/// report, and the path that comes next begins anew.
final class Validator {
  private let loop: EventLoop
  private let socket: String
  private let configuration: ValidationConfiguration
  private let follower: PathFollower
  private let report: (String) -> Void
  private var timer: EventLoop.Timer?
  private var schedule: ValidationSchedule
  private var path = NetworkPath.unknown
  private var network: [ExactText?]?
  /// The verdict on the network that the service has taken last; `nil` for none.
  private var reported: PathValidation.State?
  private var lastProblem: String?

  /// Prepares to follow the path of the service at the socket.
  init(
    loop: EventLoop, socket: String, _ configuration: ValidationConfiguration, report: @escaping (String) -> Void
  ) {
    (self.loop, self.socket, self.configuration, self.report) = (loop, socket, configuration, report)
    schedule = ValidationSchedule(revalidation: configuration.revalidation)
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(loop: loop, policy: policy, settle: nil, kernel: SharedEngine(loop: loop, policy: policy))
    timer = loop.makeTimer { [unowned self] in self.perform(self.schedule.timerFired(at: .now)) }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows the path until the loop stops.
  func run() throws(SystemError) {
    follower.start()
    try loop.run()
    follower.stop()
    if let timer { loop.remove(timer) }
  }

  private func observe(_ update: SourceUpdate) {
    switch update {
    case .path(let path): observe(path)
    case .interrupted, .lost: observe(NetworkPath.unknown)
    case .trouble: break
    }
  }

  private func observe(_ path: NetworkPath) {
    let former = self.path
    self.path = path
    let next = path.permitsRequests(over: configuration.allowed) ? path.network : nil
    let isDropped = reported != nil && !path.validation.isReported
    if next != network || isDropped {
      (network, reported) = (next, nil)
      perform(schedule.networkChanged(isAllowed: next != nil && !round.isEmpty))
    } else if path.validation.hasSilentRouter != former.validation.hasSilentRouter
      || reported == .validated && path.validation.state != .validated && former.validation.state == .validated
    {
      // A router that answers again is worth a round, too: the verdict is of the time when it did not. So is another
      // verdict of `--once`: without rounds it would stand for ever.
      perform(schedule.suspected())
    }
  }

  private var round: RequestRound { RequestRound(configuration.askedHosts, over: path) }

  private func perform(_ action: ValidationSchedule.Action) {
    switch action {
    case .none: timer?.set(nil)
    case .wake(let moment): timer?.set(moment)
    case .ask:
      let verdict = round.run()
      if schedule.holds(verdict.state) { deliver(verdict) }
      perform(schedule.concluded(isValidated: verdict.state == .validated, at: .now))
    }
  }

  private func deliver(_ verdict: PathValidation) {
    if verdict.state == .unknown, reported == nil { return }
    do throws(PathSourceError) {
      try ServiceClient(socket).report(verdict, on: path)
      (reported, lastProblem) = (verdict.state == .unknown ? nil : verdict.state, nil)
    } catch {
      // The path that comes next begins anew, so a path that has changed is worth no message.
      let problem = error.sentences
      if problem != lastProblem, !error.isRefusal(.anotherPath) { report(problem) }
      lastProblem = problem
    }
  }
}

extension NetworkPath {
  /// The texts that name the network of the path, as far as another one is worth a round; `nil` without an interface.
  fileprivate var network: [ExactText?]? {
    interfaces.first.map { first in
      let texts = [
        first.name, first.networkName, "\(first.index) \(supportsIPv4) \(supportsIPv6)", validation.announced,
      ]
      return (texts + gateways.map(\.description).sorted()).map { $0?.exact }
    }
  }
}

extension PathValidation {
  /// Whether a router of the path has stopped answering.
  fileprivate var hasSilentRouter: Bool { evidence.contains { $0.source == .router && $0.verdict == .unanswered } }
}

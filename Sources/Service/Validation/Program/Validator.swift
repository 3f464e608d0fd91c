internal import PathFollowing
internal import PathModel
internal import SystemIO

/// Follows the path as a subscriber of the service, asks hosts when the schedule says so, and reports the verdicts, or
/// the reason why nobody is asked.
///
/// While a round is made, the network may become another one. The round then has no outcome, and the service refuses a
/// report that the change overtakes. A verdict lives as long as the call that reports it. The service ends the call
/// when it drops the verdict, and replies once more when somebody wants another one.
final class Validator {
  private let loop: EventLoop
  private let socket: String
  private let configuration: ValidationConfiguration
  private let follower: PathFollower
  private let runner: RoundRunner
  private let report: (String) -> Void
  private var timer: EventLoop.Timer?
  private var schedule: ValidationSchedule
  private var path = NetworkPath.unknown
  private var network: [ExactText?]?
  private var obstacle: String?
  /// Whether something has happened since the round began that may change its answers.
  private var isDoubted = false
  /// The call that reports the verdict, and the verdict; `nil` for none.
  private var call: ServiceClient?
  private var reported: PathValidation.State?
  private var lastProblem: String?

  /// Prepares to follow the path of the service at the socket.
  init(
    loop: EventLoop, socket: String, _ configuration: ValidationConfiguration, report: @escaping (String) -> Void
  ) throws(SystemError) {
    (self.loop, self.socket, self.configuration, self.report) = (loop, socket, configuration, report)
    schedule = ValidationSchedule(revalidation: configuration.revalidation)
    runner = try RoundRunner(loop: loop)
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(loop: loop, policy: policy, settle: nil, kernel: SharedEngine(loop: loop, policy: policy))
    timer = loop.makeTimer { [unowned self] in self.perform(self.schedule.timerFired(at: .now)) }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows the path until the loop stops, and withdraws the verdict then.
  func run() throws(SystemError) {
    follower.start()
    try loop.run()
    follower.stop()
    runner.stop()
    if call != nil { _ = deliver(PathValidation()) }
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
    let (network, obstacle) = (path.status == .satisfied ? path.network : nil, configuration.obstacle(to: path))
    if network != self.network || obstacle != self.obstacle {
      (self.network, self.obstacle) = (network, obstacle)
      begin()
    } else if path.validation.hasSilentRouter != former.validation.hasSilentRouter
      || path.supportsDNS && !former.supportsDNS
      || reported == .validated && path.validation.state != .validated && former.validation.state == .validated
    {
      // A router that answers again, and a name server that is new, are worth a round: the verdict is of the time
      // before. So is another verdict of `--once`: without rounds it would stand for ever.
      doubt()
    }
  }

  private func doubt() {
    if runner.isAwaiting { isDoubted = true } else { perform(schedule.suspected(at: .now)) }
  }

  /// Begins anew on this network. Its former verdict holds until there is another one, unless nobody is asked any more.
  private func begin() {
    runner.cancel()
    if network != nil, let obstacle { _ = deliver(.unknown(because: obstacle)) }
    perform(schedule.networkChanged(isAllowed: network != nil && obstacle == nil, at: .now))
  }

  private func perform(_ action: ValidationSchedule.Action) {
    switch action {
    case .none: timer?.set(nil)
    case .wake(let moment): timer?.set(moment)
    case .ask:
      isDoubted = false
      runner.start(RequestRound(configuration.askedHosts, over: path)) { [unowned self] in self.conclude($0) }
    }
  }

  private func conclude(_ outcome: RequestRound.Outcome) {
    var (verdict, isTaken) = (outcome.validation, false)
    if let state = schedule.conclusion(after: verdict.state, isLast: outcome.notBefore != nil) {
      verdict.state = state
      isTaken = deliver(verdict, begun: outcome.begun)
    }
    let isValidated = isTaken && verdict.state == .validated
    perform(
      schedule.concluded(
        isValidated: isValidated, notBefore: outcome.notBefore, remaining: outcome.remaining, at: .now))
    if isDoubted { perform(schedule.suspected(at: .now)) }
  }

  /// Reports a verdict, or withdraws it by one without observations. Returns whether the service has taken it.
  private func deliver(_ verdict: PathValidation, begun: Int? = nil) -> Bool {
    do throws(PathSourceError) {
      let client = try ServiceClient(socket)
      try client.report(verdict, on: path, begun: begun, isHeld: !verdict.evidence.isEmpty)
      hold(verdict.evidence.isEmpty ? nil : client)
      (reported, lastProblem) = (verdict.state, nil)
      return true
    } catch {
      // A network that has become another one is worth no message.
      let problem = error.sentences
      if problem != lastProblem, !error.isRefusal(.anotherPath) { report(problem) }
      lastProblem = problem
      return false
    }
  }

  private func hold(_ next: ServiceClient?) {
    if let call { loop.unwatch(call.descriptor) }
    call = next
    guard let next else { return }
    // Without memory for the watch, the verdict lives on.
    try? loop.watch(next.descriptor) { [unowned self] _ in
      if next.goesOn {
        self.schedule.renew()
        return self.doubt()
      }
      self.hold(nil)
      self.reported = nil
      self.begin()
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

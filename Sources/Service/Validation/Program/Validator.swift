internal import PathFollowing
internal import PathModel
internal import SystemIO

/// Follows the path as a subscriber of the service, asks hosts when the schedule says so, and reports the verdicts.
///
/// A round holds the loop for ten seconds at most. Meanwhile the network may have become another one; the service then
/// refuses the report, and further rounds follow. A verdict lives as long as the call that reports it.
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
  /// The call that reports the verdict, which the service ends when it drops the verdict; `nil` for none.
  private var call: ServiceClient?
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

  /// Follows the path until the loop stops, and withdraws the verdict then.
  func run() throws(SystemError) {
    follower.start()
    try loop.run()
    follower.stop()
    withdraw()
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
    let next = path.permitsRequests(over: configuration.allowed) && !round.isEmpty ? path.network : nil
    // Where there is no path, the service has dropped it already.
    if next == nil, path.status == .satisfied { withdraw() }
    if next != network {
      network = next
      perform(schedule.networkChanged(isAllowed: next != nil, at: .now))
    } else if path.validation.hasSilentRouter != former.validation.hasSilentRouter
      || path.supportsDNS && !former.supportsDNS
      || reported == .validated && path.validation.state != .validated && former.validation.state == .validated
    {
      // A router that answers again, and a name server that is new, are worth a round: the verdict is of the time
      // before. So is another verdict of `--once`: without rounds it would stand for ever.
      perform(schedule.suspected(at: .now))
    }
  }

  private var round: RequestRound { RequestRound(configuration.askedHosts, over: path) }

  private func perform(_ action: ValidationSchedule.Action) {
    switch action {
    case .none: timer?.set(nil)
    case .wake(let moment): timer?.set(moment)
    case .ask:
      let begun = boottimeMicroseconds()
      var verdict = round.run()
      var isTaken = false
      if let state = schedule.conclusion(after: verdict.state) {
        verdict.state = state
        isTaken = deliver(verdict, begun: begun)
      }
      perform(schedule.concluded(isValidated: isTaken && verdict.state == .validated, at: .now))
    }
  }

  /// Reports a verdict. Returns whether the service has taken it.
  private func deliver(_ verdict: PathValidation, begun: Int? = nil) -> Bool {
    if verdict.state == .unknown, reported == nil { return true }
    do throws(PathSourceError) {
      let client = try ServiceClient(socket)
      try client.report(verdict, on: path, begun: begun, isHeld: verdict.state != .unknown)
      hold(verdict.state == .unknown ? nil : client)
      (reported, lastProblem) = (verdict.state == .unknown ? nil : verdict.state, nil)
      return true
    } catch {
      // A network that has become another one is worth no message.
      let problem = error.sentences
      if problem != lastProblem, !error.isRefusal(.anotherPath) { report(problem) }
      lastProblem = problem
      return false
    }
  }

  private func withdraw() { _ = deliver(PathValidation()) }

  private func hold(_ next: ServiceClient?) {
    if let call { loop.unwatch(call.descriptor) }
    call = next
    guard let next else { return }
    // Without memory for the watch, the verdict lives on.
    try? loop.watch(next.descriptor) { [unowned self] _ in
      self.hold(nil)
      self.reported = nil
      self.perform(self.schedule.networkChanged(isAllowed: self.network != nil, at: .now))
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

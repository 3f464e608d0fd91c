internal import Glibc
internal import KernelPath
internal import PathFollowing
internal import PathModel
internal import Programs
internal import SystemIO

/// The common part of `watch`, `wait`, `run`, `hooks` and `targets` while they run: an event loop, paths, signals and
/// an exit status.
class FollowingSession {
  /// The signals that ask every session to end.
  static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

  let invocation: Invocation
  let loop: EventLoop
  private var status = ExitStatus.yes
  private(set) var hasEnded = false
  private var follower: PathFollower?
  /// The latest path; `nil` before the first.
  private var delivered: NetworkPath?
  /// Whether the loss of the service has been reported to the user.
  private var hasComplained = false
  /// Whether the next path is the first of a new connection.
  private var isResumed = false
  /// The line on the terminal while the session waits for a path; `nil` where nobody would see it.
  private var waiting: WaitingNote?
  /// Whether the undetermined cost of the path has been reported.
  private var hasNotedCost = false
  /// The timer of `--timeout`.
  private var limit: EventLoop.Timer?

  init(_ invocation: Invocation) throws(KernelPathError) {
    self.invocation = invocation
    waiting = WaitingNote(invocation)
    loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
  }

  /// Reacts to a new path.
  func handle(_ path: NetworkPath) {}

  /// Reacts to a signal.
  func handle(signal: Int32) { end(ExitStatus.signal(signal)) }

  /// Reacts to the end of the paths. The exit status gives the reason, which has been reported already if it is an
  /// error.
  func pathsEnded(_ status: Int32) { end(status) }

  /// Ends ``follow(signals:)`` with the exit status.
  final func end(_ status: Int32) {
    if hasEnded { return }
    waiting?.erase()
    self.status = status
    hasEnded = true
    loop.stop()
  }

  /// Follows the path until ``end(_:)``; returns the exit status.
  final func follow(signals: [Int32]) throws(KernelPathError) -> Int32 {
    // The watch begins before the first path, so that no signal is missed.
    let signals = try KernelPathError.translating { () throws(SystemError) in try SignalWatch(signals) }
    try KernelPathError.translating { () throws(SystemError) in
      try loop.watch(signals.number) { _ in for signal in signals.readSignals() { self.handle(signal: signal) } }
    }
    defer { loop.unwatch(signals.number) }
    follow(invocation.usesService ? .service : .kernel)
    defer { follower?.stop() }
    try KernelPathError.translating { () throws(SystemError) in if !hasEnded { try loop.run() } }
    return status
  }

  private func follow(_ sources: FollowingPolicy.Sources) {
    let policy = FollowingPolicy(
      sources, socket: invocation.socket, probes: invocation.probes, configurationPath: invocation.configurationPath)
    let kernel = SharedEngine(loop: loop, policy: policy) { [unowned self] in $0.forEach(self.complain) }
    let follower = PathFollower(loop: loop, policy: policy, settle: invocation.settle, kernel: kernel)
    self.follower = follower
    follower.add(0) { [unowned self] in self.handle($0) }
    follower.start()
  }

  private func handle(_ update: SourceUpdate) {
    switch update {
    case .path(let path):
      hasComplained = false
      deliver(path)
    case .interrupted(let error):
      // After a restart of the service all clients connect at once. A refused client finds room when the others have
      // settled.
      guard error.reply == nil || error.isLackOfRoom else { return fail(error) }
      if !hasComplained { note("\(error.message); connecting again") }
      hasComplained = true
      isResumed = true
    case .lost(let error):
      guard var path = delivered else { return waitsForService ? awaitService(error) : begin(without: error) }
      path.knowledge = .stale
      path.changed = ["knowledge"]
      deliver(path)
      isResumed = true
    // The engine has reported it already.
    case .trouble: break
    }
  }

  private func deliver(_ path: NetworkPath) {
    var path = path
    // The service names the fields that differ from its update before, which this program may not have had.
    if delivered == nil || isResumed { path.changed = delivered.map { path.fieldsChanged(since: $0) } ?? [] }
    isResumed = false
    // The first path of a new connection can be the same as the latest one.
    if path == delivered { return }
    delivered = path
    handle(path)
  }

  /// Whether the session waits for a service that is absent from the start. One that is run as a unit does: if it
  /// ended, each new start of it would start the service, too, also one that fails for good.
  var waitsForService: Bool { false }

  /// Says that the service is absent. The follower connects when its socket is there.
  private func awaitService(_ error: PathSourceError) {
    guard error.code != .kernelUnavailable, error.reply == nil || error.isLackOfRoom else { return fail(error) }
    if !hasComplained { complain("\(error.message); waiting for the service. \(needOfService ?? "")") }
    hasComplained = true
  }

  /// Follows the kernel when the service is absent from the start.
  private func begin(without error: PathSourceError) {
    guard invocation.usesService, error.code != .kernelUnavailable, error.reply == nil else { return fail(error) }
    waiting?.erase()
    follower?.stop()
    if let status = invocation.statusWithoutService(error, needed: needOfService) { return end(status) }
    follow(.kernel)
  }

  /// Calls `handler` after the time if the session has not ended before. Without any time the first path decides, which
  /// takes a moment to come: then nothing is called.
  final func endAfter(_ time: Duration?, _ handler: @escaping () -> Void) {
    guard let time, time > .zero else { return }
    // A path can end the session in the round of the loop in which the time is over.
    limit = loop.makeTimer { [unowned self] in if !hasEnded { handler() } }
    limit?.set(.now.advanced(by: time))
  }

  /// Cancels the call of ``endAfter(_:_:)``.
  final func cancelLimit() { limit?.set(nil) }

  /// The reason why the kernel alone is not enough, with advice; `nil` if it is.
  var needOfService: String? { nil }

  private func fail(_ error: PathSourceError) {
    follower?.stop()
    complain(error.sentences)
    pathsEnded(error.replyStatus ?? ExitStatus.cannotKnow)
  }

  // MARK: Output

  /// Prints a message to standard error.
  final func complain(_ message: String) {
    waiting?.erase()
    PathControl.complain(message)
  }

  /// Prints a message that is no mistake to standard error, unless `--quiet` is given.
  final func note(_ message: String) {
    waiting?.erase()
    invocation.note(message)
  }

  /// Says on a terminal what is waited for, and what the path is meanwhile.
  final func showWaiting(for requirement: PathRequirement, _ path: NetworkPath) {
    waiting?.show("waiting for \(requirement); now \(PathSummary(path)[.brief])")
  }

  /// Says why the requirement has no verdict on a path whose cost is undetermined, once until it has a verdict again.
  final func noteUndeterminedCost(_ requirement: PathRequirement, _ path: NetworkPath) {
    let doubt = requirement.verdict(on: path) == .unknown ? CostDoubt.reasonWithoutVerdict(path) : nil
    if let doubt, !hasNotedCost { note(doubt) }
    hasNotedCost = doubt != nil
  }

  /// Takes the line of ``showWaiting(for:_:)`` away.
  final func eraseWaiting() { waiting?.erase() }

  /// Calls `handler` when the reader of standard output goes away, even while nothing is written. Files cannot be
  /// watched.
  final func watchReader(_ handler: @escaping () -> Void) {
    try? loop.watch(1, for: []) { readiness in
      if !readiness.isDisjoint(with: [.failed, .hungUp]) { handler() }
    }
  }

  /// Writes to standard output. A reader that has gone away ends the session; so does a full disk, with a complaint. If
  /// a signal ends the wait for a slow reader, the loop is about to receive the signal.
  final func write(_ bytes: [UInt8]) {
    do throws(SystemError) {
      try Output.write(bytes, to: 1)
    } catch  where error.isBrokenPipe {
      pathsEnded(ExitStatus.yes)
    } catch  where error.errorNumber == EINTR {
    } catch {
      PathControl.complain("\(error.description) on standard output")
      pathsEnded(ExitStatus.cannotKnow)
    }
  }
}

internal import Glibc
internal import KernelPath
internal import PathFollowing
internal import PathModel
internal import SystemIO

/// What `watch`, `wait`, `run` and `targets` have in common: a loop, paths, signals, and an exit status to end with.
class FollowingVerb {
  let invocation: Invocation
  let loop: EventLoop
  private var status = ExitStatus.yes
  private(set) var hasEnded = false
  private var follower: PathFollower?
  /// The latest path; `nil` before the first.
  private var delivered: NetworkPath?
  /// Whether the user knows that the service is gone.
  private var hasComplained = false

  init(_ invocation: Invocation) throws(KernelPathError) {
    self.invocation = invocation
    loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
  }

  /// What a new path leads to.
  func take(_ path: NetworkPath) {}

  /// What a signal leads to.
  func take(signal: Int32) { end(ExitStatus.signal(signal)) }

  /// What it leads to that there will be no more paths, which the user has been told; with the exit status that says
  /// why.
  func pathsEnded(_ status: Int32) { end(status) }

  /// Ends ``follow(signals:)`` with the exit status.
  final func end(_ status: Int32) {
    if hasEnded { return }
    self.status = status
    hasEnded = true
    loop.stop()
  }

  /// Follows the path until ``end(_:)``; returns the exit status.
  final func follow(signals: [Int32]) throws(KernelPathError) -> Int32 {
    // Before the first path, so that no signal is missed.
    let signals = try KernelPathError.translating { () throws(SystemError) in try SignalWatch(signals) }
    try KernelPathError.translating { () throws(SystemError) in
      try loop.watch(signals.number) { _ in for signal in signals.take() { self.take(signal: signal) } }
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
    let kernel = SharedEngine(loop: loop, policy: policy) { $0.forEach(PathControl.complain) }
    let follower = PathFollower(loop: loop, policy: policy, settle: invocation.settle, kernel: kernel)
    self.follower = follower
    follower.add(0) { [unowned self] in self.take($0) }
    follower.start()
  }

  private func take(_ update: SourceUpdate) {
    switch update {
    case .path(let path):
      hasComplained = false
      deliver(path)
    case .interrupted(let error):
      // After a restart all clients connect at once: there is room again when the others have settled.
      guard error.reply == nil || error.isLackOfRoom else { return fail(error) }
      if !hasComplained { PathControl.complain("\(error.message); connecting again") }
      hasComplained = true
    case .lost(let error):
      guard var path = delivered else { return begin(without: error) }
      path.knowledge = .stale
      path.changed = ["knowledge"]
      deliver(path)
    // The engine has reported it.
    case .trouble: break
    }
  }

  private func deliver(_ path: NetworkPath) {
    // After a new connection it may be the path that is known already.
    if path == delivered { return }
    delivered = path
    take(path)
  }

  /// Follows the kernel when the service is absent from the start.
  private func begin(without error: PathSourceError) {
    guard invocation.usesService, error.code != .kernelUnavailable, error.reply == nil else { return fail(error) }
    PathControl.noteAbsence(error)
    follower?.stop()
    if canDoWithoutService() { follow(.kernel) }
  }

  /// Whether the kernel alone can give what is asked for; if not, the verb has ended.
  func canDoWithoutService() -> Bool { true }

  private func fail(_ error: PathSourceError) {
    follower?.stop()
    PathControl.complain(error.sentences)
    pathsEnded(error.replyStatus ?? ExitStatus.cannotKnow)
  }

  /// Whether the kernel alone can tell if the requirement is met; if not, the verb has ended.
  final func canJudgeWithoutService(_ requirement: PathRequirement) -> Bool {
    guard requirement.dependsOnCost else { return true }
    PathControl.complainOfMissingCosts(requirement)
    end(ExitStatus.cannotKnow)
    return false
  }

  // MARK: Output

  /// Has `handler` called when the reader of our output goes away, also while nothing is written. Not every output can
  /// be watched: files cannot.
  final func watchReader(_ handler: @escaping () -> Void) {
    try? loop.watch(1, for: []) { readiness in
      if !readiness.isDisjoint(with: [.failed, .hungUp]) { handler() }
    }
  }

  /// Writes to standard output. A reader that has gone away ends the verb; so does a full disk, with a complaint.
  final func write(_ bytes: [UInt8]) {
    do throws(SystemError) {
      try Output.write(bytes, to: 1)
    } catch  where error.isBrokenPipe {
      pathsEnded(ExitStatus.yes)
    } catch {
      PathControl.complain("\(error.description) on standard output")
      pathsEnded(ExitStatus.cannotKnow)
    }
  }
}

internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// What `watch`, `wait`, `run` and `targets` have in common: a loop, a feed of paths, signals, and an exit status to end with.
class FollowingVerb {
  let invocation: Invocation
  let loop: EventLoop
  private var status = ExitStatus.yes
  private(set) var hasEnded = false

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
    guard let feed = try makeFeed() else { return status }
    defer { feed.stop() }
    try KernelPathError.translating { () throws(SystemError) in if !hasEnded { try loop.run() } }
    return status
  }

  /// The service's paths, or else the kernel's; `nil` when the service declines.
  private func makeFeed() throws(KernelPathError) -> (any PathFeed)? {
    do throws(ServiceProblem) {
      if invocation.usesService {
        return try ServiceFeed(
          loop: loop, socket: invocation.socket, settle: invocation.settle, fail: { [unowned self] in self.fail($0) },
          isOver: { self.hasEnded },
          { [unowned self] in self.take($0) })
      }
    } catch {
      if case .declines = error.kind {
        fail(error)
        return nil
      }
      PathControl.noteAbsence(error)
      if !canDoWithoutService() { return nil }
    }
    return try KernelFeed(loop: loop, invocation) { [unowned self] in self.take($0) }
  }

  /// Whether the kernel alone can give what is asked for; if not, the verb has ended.
  func canDoWithoutService() -> Bool { true }

  private func fail(_ problem: ServiceProblem) {
    PathControl.complain(problem.description)
    if case .declines(let status) = problem.kind { pathsEnded(status) } else { pathsEnded(ExitStatus.cannotKnow) }
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

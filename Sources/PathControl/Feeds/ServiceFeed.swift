internal import PathCoding
internal import PathFeeds
internal import PathModel
internal import SystemIO

/// The path as the service tells it. When the service goes away it is connected to again; what it said last is
/// delivered as stale when that takes long.
final class ServiceFeed: PathFeed {
  private let loop: EventLoop
  private let path: String
  private let settle: Duration?
  private let deliver: (NetworkPath) -> Void
  private let fail: (ServiceProblem) -> Void
  private var session: ServiceSession?
  private var delivered: NetworkPath?
  private var retryTimer: EventLoop.Timer?
  private var staleTimer: EventLoop.Timer?
  private var pause = ServiceFeed.shortestPause
  /// Why there was no first path.
  private var firstProblem: ServiceProblem?
  /// Whether the user has been told that the service is gone.
  private var hasComplained = false
  private var isStopped = false

  private static let shortestPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(1)

  /// Connects and waits for the first path, which is delivered before this returns.
  ///
  /// - Parameters:
  ///   - fail: Called when the service declines to go on.
  ///   - isOver: Whether the path is not wanted any more: signals and timers of the loop are heeded meanwhile.
  /// - Throws: ``ServiceProblem`` when there is no service, or it does not answer in time, or declines.
  init(
    loop: EventLoop, socket path: String, settle: Duration?, fail: @escaping (ServiceProblem) -> Void,
    isOver: () -> Bool, _ deliver: @escaping (NetworkPath) -> Void
  ) throws(ServiceProblem) {
    self.loop = loop
    self.path = path
    self.settle = settle
    self.deliver = deliver
    self.fail = fail
    retryTimer = loop.makeTimer { [unowned self] in self.reconnect() }
    staleTimer = loop.makeTimer { [unowned self] in self.becomeStale() }
    do throws(ServiceFailure) {
      try connect()
    } catch {
      throw ServiceProblem(error)
    }
    let deadline = MonotonicInstant.now.advanced(by: ServiceSession.patience)
    while delivered == nil, firstProblem == nil, !isOver() {
      if .now >= deadline { session?.waitForAnswer(until: deadline) }
      try? loop.runOnce(until: deadline)
    }
    if let firstProblem, delivered == nil { throw firstProblem }
  }

  func stop() {
    isStopped = true
    session?.stop()
    session = nil
    for timer in [retryTimer, staleTimer] { timer.map(loop.remove) }
    (retryTimer, staleTimer) = (nil, nil)
  }

  private func connect() throws(ServiceFailure) {
    session = try ServiceSession(loop: loop, socket: path, settle: settle) { [unowned self] in self.take($0) }
  }

  private func take(_ result: Result<NetworkPath, ServiceFailure>) {
    if isStopped { return }
    switch result {
    case .success(let path):
      staleTimer?.set(nil)
      hasComplained = false
      tell(path)
    case .failure(let failure):
      if session?.hasLasted == true { pause = Self.shortestPause }
      session = nil
      if delivered == nil {
        firstProblem = ServiceProblem(failure)
        return stop()
      }
      // After a restart all come back at once: there is room again when the others have settled.
      let isPassing = if case .connection = failure { true } else { failure.isLackOfRoom }
      if isPassing { return recover(from: failure.description) }
      stop()
      fail(ServiceProblem(failure))
    }
  }

  private func recover(from description: String) {
    if !hasComplained {
      hasComplained = true
      PathControl.complain("\(description); connecting again")
      staleTimer?.set(.now.advanced(by: ServiceSession.patience))
    }
    retryLater()
  }

  private func reconnect() {
    do throws(ServiceFailure) {
      try connect()
    } catch {
      retryLater()
    }
  }

  private func retryLater() {
    retryTimer?.set(.now.advanced(by: pause))
    pause = min(pause * 2, Self.longestPause)
  }

  private func tell(_ path: NetworkPath) {
    // After a new connection it may be what is known already.
    if path == delivered { return }
    delivered = path
    deliver(path)
  }

  private func becomeStale() {
    guard var path = delivered else { return }
    path.knowledge = .stale
    path.changed = ["knowledge"]
    tell(path)
  }
}

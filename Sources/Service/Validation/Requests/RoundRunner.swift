internal import PathModel
internal import SystemIO

/// Makes each round on a thread of its own, so that the loop goes on. Only the latest round has an outcome.
///
/// Look-ups of names can outlive their round, because nothing ends them before their time: up to a minute with three
/// silent name servers. Four rounds at most have some at a time, and the next one waits for an end.
final class RoundRunner {
  private struct Progress: Sendable {
    var number = 0
    var running = 0
    var outcome: RequestRound.Outcome?
  }

  private static let limit = 4
  private let loop: EventLoop
  private let wakeup: Wakeup
  private let progress = Guarded(Progress())
  private var next: ((_ number: Int) throws(SystemError) -> Void)?
  private var conclude: ((RequestRound.Outcome) -> Void)?

  /// Whether the outcome of a round is awaited.
  var isAwaiting: Bool { conclude != nil }

  /// Watches the rounds on the loop until ``stop()``.
  init(loop: EventLoop) throws(SystemError) {
    (self.loop, wakeup) = (loop, try Wakeup())
    try loop.watch(wakeup.number) { [unowned self] _ in self.advance() }
  }

  /// Stops watching. Call it before releasing the runner.
  func stop() {
    cancel()
    loop.unwatch(wakeup.number)
  }

  /// Makes a round, in place of the one before if that has no outcome yet.
  ///
  /// - Parameters:
  ///   - report: Called on the round's thread with each observation as it comes.
  ///   - conclude: Called on the loop.
  func start(
    _ round: RequestRound, report: @escaping @Sendable (PathValidation.Observation) -> Void = { _ in },
    conclude: @escaping (RequestRound.Outcome) -> Void
  ) {
    cancel()
    self.conclude = conclude
    let (progress, wakeup) = (progress, wakeup)
    next = { number throws(SystemError) in
      try SystemThread.start("round") {
        round.run(isAwaited: { progress.copy.number == number }, report: report) { outcome in
          progress.withLock { if $0.number == number { $0.outcome = outcome } }
          wakeup.signal()
        }
        progress.withLock { $0.running -= 1 }
        wakeup.signal()
      }
    }
    advance()
  }

  /// Awaits no round any more.
  func cancel() {
    (next, conclude) = (nil, nil)
    progress.withLock { ($0.number, $0.outcome) = ($0.number + 1, nil) }
  }

  /// Delivers an outcome, and begins the round that waits.
  private func advance() {
    wakeup.clear()
    if let outcome = progress.exchange(\.outcome, for: nil) { conclude.take()?(outcome) }
    guard progress.copy.running < Self.limit, let begin = next.take() else { return }
    progress.withLock { $0.running += 1 }
    do throws(SystemError) {
      try begin(progress.copy.number)
    } catch {
      let outcome = RequestRound.Outcome(.unknown(because: "no request could be made: \(error.description)"))
      progress.withLock { ($0.running, $0.outcome) = ($0.running - 1, outcome) }
      wakeup.signal()
    }
  }
}

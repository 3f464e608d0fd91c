package import KernelPath
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// It belongs to the thread of its event loop. What it publishes is a value; an event that does not change the
/// value is not published.
package final class PathEngine {
  /// A place in a stream of paths.
  package struct Subscription: Hashable {
    fileprivate let times: SettleTimes
    fileprivate let number: Int
  }

  /// What is asked, and the latest answer.
  package let inquiry: PathInquiry

  private let loop: EventLoop
  private let clockWatch: ClockChangeWatch
  private var pacing = EvaluationPacing<MonotonicInstant>()
  private var secondLooks = SecondLooks<MonotonicInstant>()
  /// Whether the event socket is left alone until the next evaluation, because it keeps overrunning.
  private var isPausing = false
  private var streams: [SettleTimes: PathStream] = [:]
  private var nextSubscription = 0
  private var evaluationTimer: EventLoop.Timer?
  private var silentChangeTimer: EventLoop.Timer?
  private var secondLookTimer: EventLoop.Timer?

  /// Subscribes to the kernel, evaluates for the first time, and follows from then on: the loop calls the engine
  /// for whatever happens, until ``stop()``.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(
    loop: EventLoop, configuration: PathInquiry.Configuration = PathInquiry.Configuration()
  ) throws(KernelPathError) {
    self.loop = loop
    let start = MonotonicInstant.now
    inquiry = try PathInquiry(configuration, isFollowing: true)
    clockWatch = try KernelPathError.translating { () throws(SystemError) in try ClockChangeWatch() }
    pacing.evaluated(from: start, to: .now)
    evaluationTimer = loop.makeTimer { [unowned self] in self.evaluate(anew: false) }
    silentChangeTimer = loop.makeTimer { [unowned self] in self.lookForSilentChange() }
    // The evaluation that ends a pause is as good as a second look, and comes when the pacing allows.
    secondLookTimer = loop.makeTimer { [unowned self] in if !self.isPausing { self.evaluate(anew: true) } }
    try KernelPathError.translating { () throws(SystemError) in try watch() }
    scheduleSilentChange()
  }

  /// Lets go of the loop. To be called before the engine is released.
  package func stop() {
    for descriptor in [inquiry.kernel.eventDescriptor, clockWatch.number, inquiry.kernel.resolverDescriptor] {
      if let descriptor { loop.unwatch(descriptor) }
    }
    for timer in [evaluationTimer, silentChangeTimer, secondLookTimer].compactMap(\.self) { loop.remove(timer) }
    for stream in streams.values { stream.stop() }
    streams = [:]
  }

  private func watch() throws(SystemError) {
    if let events = inquiry.kernel.eventDescriptor {
      try loop.watch(events) { [unowned self] _ in self.hear() }
    }
    try loop.watch(clockWatch.number) { [unowned self] _ in
      try? self.clockWatch.acknowledge()
      self.evaluate(anew: true)
    }
    if let resolver = inquiry.kernel.resolverDescriptor {
      try loop.watch(resolver) { [unowned self] _ in
        self.inquiry.kernel.updateResolver()
        self.requestEvaluation()
      }
    }
  }

  // MARK: Asking

  /// The path as it is at this moment: everything the kernel has said is taken into account, nothing is settled.
  package func freshPath() -> NetworkPath {
    drain()
    evaluate(anew: true)
    return inquiry.evaluation.path
  }

  // MARK: Subscribing

  /// Delivers the path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  ///
  /// Subscriptions with equal times share one stream, and so its sequence numbers.
  package func subscribe(_ times: SettleTimes, _ deliver: @escaping (NetworkPath) -> Void) -> Subscription {
    let fresh = freshPath()
    let stream = streams[times] ?? PathStream(times, loop: loop)
    streams[times] = stream
    nextSubscription += 1
    stream.add(nextSubscription, fresh: fresh, deliver)
    return Subscription(times: times, number: nextSubscription)
  }

  /// Ends a subscription: nothing is delivered to it any more.
  package func cancel(_ subscription: Subscription) {
    guard let stream = streams[subscription.times] else { return }
    stream.remove(subscription.number)
    if stream.isEmpty {
      stream.stop()
      streams[subscription.times] = nil
    }
  }

  // MARK: The loop

  /// Takes in what the kernel says, and evaluates as soon as the pacing allows.
  private func hear() {
    // While overruns repeat, reading everything anew each time would cost more than evaluating.
    if pacing.overrunsRepeat, pause() { return }
    if drain() { requestEvaluation() }
  }

  /// Leaves the event socket alone until the next evaluation may start. Returns whether it does.
  private func pause() -> Bool {
    let now = MonotonicInstant.now
    let earliest = pacing.earliestStart(at: now)
    guard earliest > now, let events = inquiry.kernel.eventDescriptor else { return false }
    isPausing = (try? loop.rewatch(events, for: [])) != nil
    if isPausing { evaluationTimer?.set(earliest) }
    return isPausing
  }

  /// Listens to the event socket again. Every evaluation does so first: none may leave us deaf.
  private func endPause() {
    guard isPausing, let events = inquiry.kernel.eventDescriptor else { return }
    isPausing = false
    try? loop.rewatch(events, for: .readable)
    drain()
  }

  /// Returns whether anything was heard.
  @discardableResult
  private func drain() -> Bool {
    guard let harvest = inquiry.drain() else {
      retryLater()
      return false
    }
    if harvest.overran { pacing.overrun(at: .now) }
    guard harvest.messages > 0 || harvest.overran else { return false }
    secondLooks.heard(at: .now)
    return true
  }

  /// Evaluates now, or as soon as the pacing allows.
  private func requestEvaluation() {
    let now = MonotonicInstant.now
    let earliest = pacing.earliestStart(at: now)
    if earliest <= now { evaluate(anew: false) } else { evaluationTimer?.set(earliest) }
  }

  private func evaluate(anew: Bool) {
    endPause()
    evaluationTimer?.set(nil)
    let start = MonotonicInstant.now
    inquiry.evaluate(anew: anew)
    let end = MonotonicInstant.now
    pacing.evaluated(from: start, to: end)
    if inquiry.failure != nil { retryLater() }
    for stream in streams.values { stream.observe(inquiry.evaluation.path, at: end) }
    secondLookTimer?.set(secondLooks.next(after: end))
    scheduleSilentChange()
  }

  /// Tries again in a second, as we could not ask.
  private func retryLater() {
    evaluationTimer?.set(.now.advanced(by: .seconds(1)))
  }

  /// Looks again when the answer may have changed without an event; where the system has no watches left for
  /// the resolver configuration, also every 30 s.
  private func scheduleSilentChange() {
    var wait = inquiry.evaluation.reevaluateAfter
    if inquiry.kernel.resolverDescriptor == nil { wait = min(wait ?? .seconds(30), .seconds(30)) }
    silentChangeTimer?.set(wait.map { MonotonicInstant.now.advanced(by: $0) })
  }

  private func lookForSilentChange() {
    if inquiry.kernel.resolverDescriptor == nil { inquiry.kernel.updateResolver() }
    evaluate(anew: true)
  }
}

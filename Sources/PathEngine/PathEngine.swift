package import KernelPath
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// It belongs to the thread of its event loop. What it publishes is a value; an event that does not change the
/// value is not published.
package final class PathEngine {
  /// What an engine works with.
  package struct Configuration: Sendable {
    /// The destinations that stand for the Internet.
    package var probes = ProbeAddresses.standard
    /// How many bytes of messages the kernel may hold for us.
    package var receiveBuffer: Int32 = 2 << 20
    /// Where sysfs and the resolver configuration are.
    package var paths = KernelFilePaths()

    /// The usual configuration.
    package init() {}
  }

  /// A place in a stream of paths.
  package struct Subscription: Hashable {
    fileprivate let times: SettleTimes
    fileprivate let number: Int
  }

  private let loop: EventLoop
  private let configuration: Configuration
  private var kernel: Kernel
  private let clockWatch: ClockChangeWatch
  private var pacing = EvaluationPacing<MonotonicInstant>()
  private var streams: [SettleTimes: PathStream] = [:]
  private var nextSubscription = 0
  private var evaluationTimer: EventLoop.Timer?
  private var silentChangeTimer: EventLoop.Timer?

  /// The latest evaluation, unsettled; its path says how far it can be trusted.
  package private(set) var evaluation: PathEvaluation
  /// What went wrong with the latest attempt to evaluate; `nil` when nothing did.
  package private(set) var failure: KernelPathError?

  /// Subscribes to the kernel and evaluates for the first time.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(loop: EventLoop, configuration: Configuration = Configuration()) throws(KernelPathError) {
    self.loop = loop
    self.configuration = configuration
    kernel = try Kernel(
      probes: configuration.probes, receiveBuffer: configuration.receiveBuffer, paths: configuration.paths)
    clockWatch = try KernelPathError.translating { () throws(SystemError) in try ClockChangeWatch() }
    let start = MonotonicInstant.now
    evaluation = try PathEvaluator.evaluate(&kernel, probes: configuration.probes)
    evaluation.path.boottimeMicroseconds = boottimeMicroseconds()
    pacing.evaluated(from: start, to: .now)
  }

  /// Follows the kernel from now on: the loop calls the engine for whatever happens.
  package func start() throws(KernelPathError) {
    evaluationTimer = loop.makeTimer { [unowned self] in self.evaluate() }
    silentChangeTimer = loop.makeTimer { [unowned self] in self.evaluate() }
    try KernelPathError.translating { () throws(SystemError) in
      try loop.watch(kernel.eventDescriptor) { [unowned self] _ in self.drain() }
      try loop.watch(clockWatch.number) { [unowned self] _ in
        try? self.clockWatch.acknowledge()
        self.evaluate()
      }
      guard let resolver = kernel.resolverDescriptor else { return }
      try loop.watch(resolver) { [unowned self] _ in
        self.kernel.updateResolver()
        self.requestEvaluation()
      }
    }
    scheduleSilentChange()
  }

  /// Lets go of the loop. To be called before the engine is released, if it was started.
  package func stop() {
    loop.unwatch(kernel.eventDescriptor)
    loop.unwatch(clockWatch.number)
    if let resolver = kernel.resolverDescriptor { loop.unwatch(resolver) }
    for timer in [evaluationTimer, silentChangeTimer].compactMap(\.self) { loop.remove(timer) }
    for stream in streams.values { stream.stop() }
    streams = [:]
  }

  // MARK: Asking

  /// The path as it is at this moment: everything the kernel has said is taken into account, nothing is settled.
  package func freshPath() -> NetworkPath {
    drainKernel()
    evaluate()
    return evaluation.path
  }

  /// How the latest evaluation came about, line by line.
  package func explanation() -> [String] {
    var notes = kernel.notes
    if let failure { notes.append(failure.description) }
    return PathExplanation.steps(evaluation, state: kernel.state, resolver: kernel.resolver, notes: notes)
  }

  /// All interfaces but loopback, by index, as the last ``freshPath()`` found them.
  package func interfaces() -> [ListedInterface] {
    ListedInterface.all(&kernel, evaluation)
  }

  /// The path to a host with these addresses, as it is at this moment. One of each family is enough.
  package func freshPath(to destinations: [IPAddress]) -> NetworkPath {
    drainKernel()
    return evaluated(probes: ProbeAddresses(destinations), countsLocal: true).path
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

  private func drain() {
    if drainKernel() { requestEvaluation() }
  }

  /// Returns whether anything was heard.
  @discardableResult
  private func drainKernel() -> Bool {
    do throws(KernelPathError) {
      let harvest = try kernel.drain()
      if harvest.overran { pacing.overrun(at: .now) }
      return harvest.messages > 0 || harvest.overran
    } catch {
      fail(error)
      return false
    }
  }

  /// Evaluates now, or as soon as the pacing allows.
  private func requestEvaluation() {
    let now = MonotonicInstant.now
    let earliest = pacing.earliestStart(at: now)
    if earliest <= now { evaluate() } else { evaluationTimer?.set(earliest) }
  }

  private func evaluate() {
    evaluationTimer?.set(nil)
    let start = MonotonicInstant.now
    evaluation = evaluated(probes: configuration.probes)
    let end = MonotonicInstant.now
    pacing.evaluated(from: start, to: end)
    scheduleSilentChange()
    for stream in streams.values { stream.observe(evaluation.path, at: end) }
  }

  /// A new evaluation, or the latest one marked as stale when the kernel cannot be asked.
  private func evaluated(probes: ProbeAddresses, countsLocal: Bool = false) -> PathEvaluation {
    do throws(KernelPathError) {
      var fresh = try PathEvaluator.evaluate(&kernel, probes: probes, countsLocal: countsLocal)
      fresh.path.boottimeMicroseconds = boottimeMicroseconds()
      failure = nil
      return fresh
    } catch {
      fail(error)
      var stale = evaluation
      stale.path.knowledge = .stale
      return stale
    }
  }

  /// Takes note that we could not ask, and tries again in a second.
  private func fail(_ error: KernelPathError) {
    failure = error
    evaluationTimer?.set(.now.advanced(by: .seconds(1)))
  }

  /// Looks again when the answer may have changed without an event; where the system has no watches left for
  /// the resolver configuration, also every 30 s.
  private func scheduleSilentChange() {
    var waits = [evaluation.reevaluateAfter]
    if kernel.resolverDescriptor == nil {
      kernel.updateResolver()
      waits.append(.seconds(30))
    }
    silentChangeTimer?.set(waits.compactMap(\.self).min().map { MonotonicInstant.now.advanced(by: $0) })
  }
}

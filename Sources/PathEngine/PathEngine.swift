package import KernelPath
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// It belongs to the thread of its event loop. What it publishes is a value; an event that does not change the
/// value is not published.
package final class PathEngine {
  /// What is asked, and the latest answer.
  package private(set) var inquiry: PathInquiry
  /// What has happened so far.
  package private(set) var counters = Counters()

  /// What has happened since the start.
  package struct Counters: Hashable, Sendable {
    /// Messages of the kernel.
    package var events = 0
    /// How often the event socket has overrun.
    package var overruns = 0
  }

  private let loop: EventLoop
  private let clockWatch: ClockChangeWatch
  private let streams: StreamTable
  private var pacing = EvaluationPacing<MonotonicInstant>()
  private var secondLooks = SecondLooks<MonotonicInstant>()
  /// What the second looks are for.
  private var familiesToLookAt = AddressFamilies.neither
  /// Whether all that was heard since the last evaluation is the removal of one route.
  private var isOneRemoval = false
  /// Whether anything was heard since the last evaluation.
  private var hasNews = false
  /// When everything was asked for last.
  private var askedAnew = MonotonicInstant.now
  /// The count of rule changes when subscribers were last assigned to the classes of their users.
  private var classifiedAt: Int?
  /// Whether something was heard that waits for its evaluation.
  private var isEvaluationDue = false
  /// Whether the event socket is left alone until the next evaluation, because it keeps overrunning.
  private var isPausing = false
  private var evaluationTimer: EventLoop.Timer?
  private var silentChangeTimer: EventLoop.Timer?
  /// When that goes off; `nil` when nothing is due.
  private var silentChangeDue: MonotonicInstant?
  private var secondLookTimer: EventLoop.Timer?
  private var overrideTimer: EventLoop.Timer?
  private var routerTimer: EventLoop.Timer?
  /// Whether that timer is set.
  private var areRoutersDue = false
  private var fileTimer: EventLoop.Timer?
  private var filePauses = RetryPauses()

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
    streams = StreamTable(loop: loop)
    pacing.evaluated(from: start, to: .now)
    evaluationTimer = loop.makeTimer { [unowned self] in self.evaluate(anew: .neither) }
    silentChangeTimer = loop.makeTimer { [unowned self] in self.lookForSilentChange() }
    secondLookTimer = loop.makeTimer { [unowned self] in self.lookAgain() }
    overrideTimer = loop.makeTimer { [unowned self] in self.endExpiredOverrides() }
    routerTimer = loop.makeTimer { [unowned self] in self.followRouters() }
    fileTimer = loop.makeTimer { [unowned self] in self.retryFiles() }
    try KernelPathError.translating { () throws(SystemError) in
      try watchKernel()
      try loop.watch(clockWatch.number) { [unowned self] _ in self.clockChanged() }
    }
    scheduleSilentChange()
    scheduleRouters()
    scheduleFileRetry()
  }

  /// Lets go of the loop. To be called before the engine is released.
  package func stop() {
    unwatchKernel()
    loop.unwatch(clockWatch.number)
    let timers = [
      evaluationTimer, silentChangeTimer, secondLookTimer, overrideTimer, routerTimer, fileTimer,
    ]
    for timer in timers.compactMap(\.self) {
      loop.remove(timer)
    }
    streams.stop()
  }

  /// Works with another configuration from now on; who has subscribed stays so.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked; then nothing has changed.
  package func reconfigure(_ configuration: PathInquiry.Configuration) throws(KernelPathError) {
    let successor = try PathInquiry(configuration, isFollowing: true)
    successor.takeOver(from: inquiry)
    unwatchKernel()
    inquiry = successor
    isPausing = false
    try KernelPathError.translating { () throws(SystemError) in try watchKernel() }
    // The successor counts the changes of rules from the beginning, and follows nobody yet.
    classifiedAt = nil
    evaluate(anew: .all)
    // Its first path may be another than the last one of its predecessor.
    publish(at: .now)
  }

  private func unwatchKernel() {
    let kernel = inquiry.kernel
    for descriptor in [kernel.eventDescriptor, kernel.resolverDescriptor, kernel.leaseDescriptor] {
      if let descriptor { loop.unwatch(descriptor) }
    }
  }

  private func watchKernel() throws(SystemError) {
    if let events = inquiry.kernel.eventDescriptor {
      try loop.watch(events) { [unowned self] _ in self.hear() }
    }
    if let resolver = inquiry.kernel.resolverDescriptor {
      try loop.watch(resolver) { [unowned self] _ in
        let isNews = self.inquiry.kernel.updateResolverIfChanged()
        self.scheduleFileRetry()
        if isNews { self.requestEvaluation(ofOtherNews: true) }
      }
    }
    if let leases = inquiry.kernel.leaseDescriptor {
      try loop.watch(leases) { [unowned self] _ in
        let isNews = self.inquiry.kernel.updateLeasesIfChanged()
        self.scheduleFileRetry()
        if isNews { self.requestEvaluation(ofOtherNews: true) }
      }
    }
  }

  // MARK: Asking

  /// The path as it is at this moment: everything the kernel has said is taken into account, nothing is settled.
  ///
  /// - Parameter user: Whose path; `nil` for our own.
  package func freshPath(of user: UInt32? = nil) -> NetworkPath {
    fresh(of: user) { inquiry, representative in inquiry.path(of: representative) }
  }

  /// What the body makes of the answers as they are at this moment; it is handed who stands for the user's class.
  package func fresh<Result>(
    of user: UInt32? = nil, _ body: (PathInquiry, _ representative: UInt32?) -> Result
  ) -> Result {
    if !canReuseAnswers { inquiry.readLinksAgain() }
    let isNews = drain()
    let isResolverNews = inquiry.kernel.updateResolverIfChanged()
    let isLeaseNews = inquiry.kernel.updateLeasesIfChanged()
    if isResolverNews || isLeaseNews { isOneRemoval = false }
    if isNews || isResolverNews || isLeaseNews || !canReuseAnswers { evaluate(anew: .all) }
    if inquiry.kernel.hasUnreadFiles { scheduleFileRetry() }
    // Only now: those who are told of the evaluation may unsubscribe, and classes that nobody follows are forgotten.
    let representative = inquiry.representative(of: user)
    if let representative { inquiry.follow(representative) }
    if inquiry.failure != nil { retryLater() }
    defer { if representative != nil { inquiry.followOnly(streams.followedRepresentatives) } }
    return body(inquiry, representative)
  }

  /// Whether what was answered last is still true. A change that the kernel does not announce, if there is one,
  /// is noticed a millisecond late then. After an event nothing is sure for a second: see ``SecondLooks``.
  private var canReuseAnswers: Bool {
    secondLooks.isQuiet && !isPausing && !isEvaluationDue && inquiry.failure == nil
      && askedAnew.duration(to: .now) < .milliseconds(1)
  }

  // MARK: Subscribing

  /// Delivers the path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  ///
  /// Subscriptions with equal parameters, of users that the policy rules treat alike, share one stream, and so its
  /// sequence numbers.
  ///
  /// - Parameter user: Whose path; `nil` for our own.
  package func subscribe(
    _ parameters: StreamParameters, user: UInt32?, _ deliver: @escaping (PathUpdate) -> Void
  ) throws(TooManyUserClasses) -> Subscription {
    drain()
    let representative = inquiry.representative(of: user)
    // Root is not refused because others have used up what there is.
    if let representative, user != 0, inquiry.followedClasses >= Self.userClassLimit,
      !streams.followedRepresentatives.contains(representative)
    {
      throw TooManyUserClasses(limit: Self.userClassLimit)
    }
    return Subscription(subscriber: add(parameters, user: user, deliver))
  }

  /// Delivers our own path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  package func subscribe(_ times: SettleTimes, _ deliver: @escaping (NetworkPath) -> Void) -> Subscription {
    Subscription(subscriber: add(StreamParameters(times), user: nil) { deliver($0.path) })
  }

  private func add(
    _ parameters: StreamParameters, user: UInt32?, _ deliver: @escaping (PathUpdate) -> Void
  ) -> PathStream.Subscriber {
    let (fresh, representative) = fresh(of: user) { ($0.path(of: $1), $1) }
    if let representative { inquiry.follow(representative) }
    return streams.subscribe(parameters, user: user, representative: representative, fresh: fresh, deliver)
  }

  /// Ends a subscription: nothing is delivered to it any more.
  package func cancel(_ subscription: Subscription) {
    streams.cancel(subscription.subscriber)
    inquiry.followOnly(streams.followedRepresentatives)
  }

  /// How many subscribers there are.
  package var subscriberCount: Int { streams.subscriberCount }
  /// How many updates have been announced, in all streams.
  package var announcements: Int { streams.announcements }

  // MARK: Network managers

  /// Takes over what a network manager says of its devices, by the names of their interfaces, and evaluates when that
  /// is news.
  package func setMetered(_ states: [String: MeteredState]) {
    guard states != inquiry.kernel.networkFacts.meteredByName else { return }
    inquiry.kernel.networkFacts.meteredByName = states
    requestEvaluation(ofOtherNews: true)
  }

  // MARK: Overrides

  /// Changes what is overridden, and publishes what follows from it.
  package func setOverrides(_ overrides: OverrideTable) {
    inquiry.overrides = overrides
    endExpiredOverrides()
    publish(at: .now)
  }

  /// Called when overrides have ended by themselves.
  package var whenOverridesExpired: (() -> Void)?

  private func endExpiredOverrides() {
    let now = boottimeMicroseconds()
    if inquiry.overrides.removeExpired(at: now) {
      publish(at: .now)
      whenOverridesExpired?()
    }
    overrideTimer?.set(
      inquiry.overrides.nextExpiry.map { MonotonicInstant.now.advanced(by: .microseconds(max(0, $0 - now))) })
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
    guard let result = inquiry.drain() else {
      retryLater()
      return false
    }
    counters.events += result.messages
    if result.overran {
      counters.overruns += 1
      pacing.overrun(at: .now)
    }
    guard result.messages > 0 || result.overran else { return false }
    // Of two removals only one may show, and beside a new route none.
    isOneRemoval = result.isOneRemoval && !hasNews
    hasNews = true
    if !result.early.isEmpty {
      secondLooks.heard(at: .now)
      familiesToLookAt.formUnion(result.early)
    }
    return true
  }

  /// Evaluates now, or as soon as the pacing allows.
  ///
  /// - Parameter isOtherNews: Whether not the kernel has said something, but somebody else.
  private func requestEvaluation(ofOtherNews isOtherNews: Bool = false) {
    if isOtherNews { (isOneRemoval, hasNews) = (false, true) }
    let now = MonotonicInstant.now
    let earliest = pacing.earliestStart(at: now)
    if earliest <= now { return evaluate(anew: .neither) }
    isEvaluationDue = true
    evaluationTimer?.set(earliest)
  }

  private func evaluate(anew families: AddressFamilies) {
    endPause()
    let inquiry = inquiry
    evaluationTimer?.set(nil)
    isEvaluationDue = false
    let start = MonotonicInstant.now
    if families == .all { askedAnew = start }
    let isReclassified = streams.hasUsers && classifiedAt != inquiry.kernel.ruleChanges
    if isReclassified { reclassify() }
    let former = isOneRemoval ? inquiry.evaluation.path : nil
    let isChange = inquiry.evaluate(anew: families)
    let end = MonotonicInstant.now
    pacing.evaluated(from: start, to: end)
    if inquiry.failure != nil { retryLater() }
    if isChange || isReclassified { publish(at: end) }
    if let former, former != inquiry.evaluation.path { secondLooks.sawItDone() }
    (isOneRemoval, hasNews) = (false, false)
    secondLookTimer?.set(secondLooks.next(after: end))
    if secondLooks.isQuiet { familiesToLookAt = .neither }
    scheduleSilentChange()
    scheduleRouters()
    scheduleFileRetry()
  }

  /// How long to wait before routers are followed: the filter that the kernel needs for it costs more than an evaluation,
  /// and a network that is being reconfigured changes them again and again.
  private static let routerPause = Duration.seconds(1)

  /// Has the routers followed that the kernel chooses routes by, a while from now.
  private func scheduleRouters() {
    if areRoutersDue || inquiry.kernel.followedRouters.suffices(for: inquiry.routers) { return }
    areRoutersDue = true
    routerTimer?.set(.now.advanced(by: Self.routerPause))
  }

  /// Listens for the routers, and evaluates once more if these are others, as they may have changed before.
  private func followRouters() {
    let routers = inquiry.routers
    if !inquiry.kernel.followedRouters.suffices(for: routers), inquiry.kernel.follow(routers) { evaluate(anew: .all) }
    areRoutersDue = false
    routerTimer?.set(nil)
  }

  private func publish(at now: MonotonicInstant) {
    let inquiry = inquiry
    streams.observe(at: now) { inquiry.path(of: $0) }
  }

  /// The policy rules have changed: users may belong to other classes now.
  private func reclassify() {
    streams.reclassify { inquiry.representative(of: $0) }
    // As long as the rules cannot be read the classes stay old, and this is tried again.
    classifiedAt = inquiry.classesAreOld ? nil : inquiry.kernel.ruleChanges
    for representative in streams.followedRepresentatives { inquiry.follow(representative) }
    inquiry.followOnly(streams.followedRepresentatives)
  }

  /// Asks once more for what may not have been done yet when it was announced.
  private func lookAgain() {
    // The evaluation that ends a pause is as good as a second look, and comes when the pacing allows.
    if !isPausing { evaluate(anew: familiesToLookAt) }
  }

  /// Tries again in a second, as we could not ask.
  private func retryLater() {
    evaluationTimer?.set(.now.advanced(by: .seconds(1)))
  }

  /// Looks again when the answer may have changed without an event; where the system has no watches left for
  /// files, also every 30 s.
  ///
  /// A look that is due is not put off: of a route in its last hundredth of a second the kernel says what it says of one
  /// that never ends.
  private func scheduleSilentChange() {
    let inquiry = inquiry
    var wait = inquiry.reevaluateAfter
    if inquiry.lacksWatches { wait = min(wait ?? .seconds(30), .seconds(30)) }
    guard let wait else { return }
    let next = MonotonicInstant.now.advanced(by: wait)
    silentChangeDue = min(silentChangeDue ?? next, next)
    silentChangeTimer?.set(silentChangeDue)
  }

  /// Reads files again some time after they could not be read, for want of descriptors perhaps: no change of them tells
  /// when they can be.
  private func scheduleFileRetry() {
    if !inquiry.kernel.hasUnreadFiles {
      filePauses.reset()
      if fileTimer?.isSet == true { fileTimer?.set(nil) }
    } else if fileTimer?.isSet == false {
      fileTimer?.set(.now.advanced(by: filePauses.next()))
    }
  }

  private func retryFiles() {
    inquiry.kernel.retryFiles()
    requestEvaluation(ofOtherNews: true)
    scheduleFileRetry()
  }

  /// The machine may have slept: nothing that was known is sure any more.
  private func clockChanged() {
    try? clockWatch.acknowledge()
    endExpiredOverrides()
    evaluate(anew: .all)
  }

  private func lookForSilentChange() {
    silentChangeDue = nil
    if inquiry.lacksWatches {
      inquiry.kernel.updateResolver()
      inquiry.kernel.updateLeases()
    }
    evaluate(anew: .all)
  }
}

package import KernelPath
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// The engine belongs to the thread of its event loop. It publishes values: an event that does not change the path
/// publishes nothing.
package final class PathEngine {
  /// The questions to the kernel, and its latest answers.
  package private(set) var inquiry: PathInquiry
  /// The counts since the start.
  package private(set) var counters = Counters()

  /// Counts of events since the start.
  package struct Counters: Hashable, Sendable {
    /// The number of messages from the kernel.
    package var events = 0
    /// The number of overruns of the event socket.
    package var overruns = 0
  }

  private let loop: EventLoop
  private let clockWatch: ClockChangeWatch
  private let streams: StreamTable
  private var pacing = EvaluationPacing<MonotonicInstant>()
  private var secondLooks = SecondLooks<MonotonicInstant>()
  /// The families that the second looks ask about.
  private var familiesToLookAt = AddressFamilies.neither
  /// Whether the only news since the last evaluation is the removal of one route.
  private var isOneRemoval = false
  /// Whether any news has arrived since the last evaluation.
  private var hasNews = false
  /// The time of the last evaluation that asked everything anew.
  private var askedAnew = MonotonicInstant.now
  /// The kernel's count of rule changes when subscribers were last assigned to classes; `nil` when they must be
  /// reassigned.
  private var classifiedAt: Int?
  /// Whether news waits for its evaluation.
  private var isEvaluationDue = false
  /// Whether the event socket, which keeps overrunning, is not read until the next evaluation.
  private var isPausing = false
  private var evaluationTimer: EventLoop.Timer?
  private var silentChangeTimer: EventLoop.Timer?
  /// The time at which `silentChangeTimer` fires; `nil` when it is not set.
  private var silentChangeDue: MonotonicInstant?
  private var secondLookTimer: EventLoop.Timer?
  private var overrideTimer: EventLoop.Timer?
  private var routerTimer: EventLoop.Timer?
  /// Whether `routerTimer` is set.
  private var areRoutersDue = false
  private var fileTimer: EventLoop.Timer?
  private var filePauses = RetryPauses()

  /// Subscribes to the kernel's messages and evaluates for the first time. From then on the loop calls the engine for
  /// each event, until ``stop()``.
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

  /// Removes the engine's timers and watches from the loop. Call it before the engine is released.
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

  /// Replaces the configuration. All subscriptions stay.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked; then nothing has changed.
  package func reconfigure(_ configuration: PathInquiry.Configuration) throws(KernelPathError) {
    let successor = try PathInquiry(configuration, isFollowing: true)
    successor.takeOver(from: inquiry)
    unwatchKernel()
    inquiry = successor
    isPausing = false
    try KernelPathError.translating { () throws(SystemError) in try watchKernel() }
    // The successor counts rule changes from zero and follows no class of users yet.
    classifiedAt = nil
    evaluate(anew: .all)
    // The first path of the successor may differ from the last one of its predecessor.
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

  /// The current path, after all messages that the kernel has sent so far. It need not have settled.
  ///
  /// - Parameter user: The user whose path it is; `nil` for our own.
  package func freshPath(of user: UInt32? = nil) -> NetworkPath {
    fresh(of: user) { inquiry, representative in inquiry.path(of: representative) }
  }

  /// Calls the body with current answers and the representative of the user's class, and returns its result.
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
    // Follow the class only after the evaluation: a subscriber may unsubscribe when it receives the new path, and
    // classes without subscribers are forgotten then.
    let representative = inquiry.representative(of: user)
    if let representative { inquiry.follow(representative) }
    if inquiry.failure != nil { retryLater() }
    defer { if representative != nil { inquiry.followOnly(streams.followedRepresentatives) } }
    return body(inquiry, representative)
  }

  /// Whether the latest answers can still be used. A change that the kernel does not announce is therefore noticed up
  /// to a millisecond late. For a second after an event no answer is certain: see ``SecondLooks``.
  private var canReuseAnswers: Bool {
    secondLooks.isQuiet && !isPausing && !isEvaluationDue && inquiry.failure == nil
      && askedAnew.duration(to: .now) < .milliseconds(1)
  }

  // MARK: Subscribing

  /// Delivers the path at once, then whenever it has changed and settled, until ``cancel(_:)``.
  ///
  /// Subscriptions with equal parameters, of users that the policy rules treat alike, share one stream and its sequence
  /// numbers.
  ///
  /// - Parameter user: The user whose path is delivered; `nil` for our own.
  package func subscribe(
    _ parameters: StreamParameters, user: UInt32?, _ deliver: @escaping (PathUpdate) -> Void
  ) throws(TooManyUserClasses) -> Subscription {
    drain()
    let representative = inquiry.representative(of: user)
    // Root is exempt from the limit, so that other users cannot shut it out.
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

  /// Ends a subscription, which receives no further updates.
  package func cancel(_ subscription: Subscription) {
    streams.cancel(subscription.subscriber)
    inquiry.followOnly(streams.followedRepresentatives)
  }

  /// The number of subscribers.
  package var subscriberCount: Int { streams.subscriberCount }
  /// The number of updates that have been announced, in all streams.
  package var announcements: Int { streams.announcements }

  // MARK: Network managers

  /// Replaces the metered states that a network manager reports, by interface name, and evaluates if they have changed.
  package func setMetered(_ states: [String: MeteredState]) {
    guard states != inquiry.kernel.networkFacts.meteredByName else { return }
    inquiry.kernel.networkFacts.meteredByName = states
    requestEvaluation(ofOtherNews: true)
  }

  // MARK: Overrides

  /// Replaces the overrides and publishes the paths that follow from them.
  package func setOverrides(_ overrides: OverrideTable) {
    inquiry.overrides = overrides
    endExpiredOverrides()
    publish(at: .now)
  }

  /// Called after overrides have expired.
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

  /// Reads the kernel's messages, and evaluates as soon as the pacing allows.
  private func hear() {
    // While overruns repeat, reading everything anew each time would cost more than evaluating.
    if pacing.overrunsRepeat, pause() { return }
    if drain() { requestEvaluation() }
  }

  /// Stops watching the event socket until the next evaluation may start. Returns whether it has done so.
  private func pause() -> Bool {
    let now = MonotonicInstant.now
    let earliest = pacing.earliestStart(at: now)
    guard earliest > now, let events = inquiry.kernel.eventDescriptor else { return false }
    isPausing = (try? loop.rewatch(events, for: [])) != nil
    if isPausing { evaluationTimer?.set(earliest) }
    return isPausing
  }

  /// Watches the event socket again. Every evaluation does this first: it must not leave the engine deaf.
  private func endPause() {
    guard isPausing, let events = inquiry.kernel.eventDescriptor else { return }
    isPausing = false
    try? loop.rewatch(events, for: .readable)
    drain()
  }

  /// Reads the kernel's messages. Returns whether there was any news.
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
    // The answers may show only one of two removals, and none beside a new route.
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
  /// - Parameter isOtherNews: Whether the news comes from another source than the kernel.
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

  /// The wait before routers are followed. Their filter in the kernel costs more than an evaluation, and a network that
  /// is being reconfigured changes its routers again and again.
  private static let routerPause = Duration.seconds(1)

  /// Schedules the following of the routers by which the kernel chooses routes.
  private func scheduleRouters() {
    if areRoutersDue || inquiry.kernel.followedRouters.suffices(for: inquiry.routers) { return }
    areRoutersDue = true
    routerTimer?.set(.now.advanced(by: Self.routerPause))
  }

  /// Follows the current routers. If they are new, it evaluates again, because they may have changed before.
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

  /// Moves subscribers to the classes that the changed policy rules give their users.
  private func reclassify() {
    streams.reclassify { inquiry.representative(of: $0) }
    // If the rules cannot be read, the classes stay old, and the next evaluation tries again.
    classifiedAt = inquiry.classesAreOld ? nil : inquiry.kernel.ruleChanges
    for representative in streams.followedRepresentatives { inquiry.follow(representative) }
    inquiry.followOnly(streams.followedRepresentatives)
  }

  /// Asks again about changes that the kernel may have announced before it made them.
  private func lookAgain() {
    // The evaluation that ends a pause replaces the second look. It comes when the pacing allows.
    if !isPausing { evaluate(anew: familiesToLookAt) }
  }

  /// Evaluates again in a second, after a question that failed.
  private func retryLater() {
    evaluationTimer?.set(.now.advanced(by: .seconds(1)))
  }

  /// Schedules an evaluation for the time when the answer may change without an event. If the system has no watches
  /// left for files, one takes place at least every 30 s.
  ///
  /// A later time never replaces an earlier one: the kernel describes a route in its last hundredth of a second like
  /// one that never expires.
  private func scheduleSilentChange() {
    let inquiry = inquiry
    var wait = inquiry.reevaluateAfter
    if inquiry.lacksWatches { wait = min(wait ?? .seconds(30), .seconds(30)) }
    guard let wait else { return }
    let next = MonotonicInstant.now.advanced(by: wait)
    silentChangeDue = min(silentChangeDue ?? next, next)
    silentChangeTimer?.set(silentChangeDue)
  }

  /// Schedules another reading of files that could not be read, perhaps for lack of descriptors. No change of these
  /// files announces that they have become readable.
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

  /// Evaluates everything anew after a clock change: the machine may have slept, and no earlier answer is certain.
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

package import KernelPath
internal import PathDecisions
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// The engine belongs to the thread of its event loop. It publishes values: an event that does not change the path
/// publishes nothing. ``EngineSchedule`` decides when to evaluate, and the engine performs.
package final class PathEngine {
  /// The questions to the kernel, and its latest answers.
  package private(set) var inquiry: PathInquiry
  /// The counts since the start.
  package private(set) var counters = Counters()
  /// Called after overrides have expired.
  package var whenOverridesExpired: (() -> Void)?
  /// Called with our own path, which need not have settled, whenever any path may have changed.
  package var whenObserved: ((NetworkPath) -> Void)?

  /// Counts of events since the start.
  package struct Counters: Hashable, Sendable {
    /// The number of messages from the kernel.
    package var events = 0
    /// The number of overruns of the event socket.
    package var overruns = 0
  }

  let loop: EventLoop
  let streams: StreamTable
  var schedule: EngineSchedule
  private let clockWatch: ClockChangeWatch
  private var evaluationTimer: EventLoop.Timer?
  private var silentChangeTimer: EventLoop.Timer?
  private var secondLookTimer: EventLoop.Timer?
  var overrideTimer: EventLoop.Timer?
  var routerTimer: EventLoop.Timer?
  var fileTimer: EventLoop.Timer?

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
    let end = MonotonicInstant.now
    schedule = EngineSchedule(evaluatedFrom: start, to: end)
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
    scheduleLooks(at: end)
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
    schedule.resumed()
    try KernelPathError.translating { () throws(SystemError) in try watchKernel() }
    // The successor counts rule changes from zero and follows no class of users yet.
    streams.classifiedAt = nil
    evaluate(anew: .all)
    // The first path of the successor may differ from the last one of its predecessor.
    publish(at: .now)
  }

  private func unwatchKernel() {
    if let events = inquiry.kernel.eventDescriptor { loop.unwatch(events) }
    unwatchFiles()
  }

  private func watchKernel() throws(SystemError) {
    try watchMessages()
    try watchFiles()
  }

  private func watchMessages() throws(SystemError) {
    guard let events = inquiry.kernel.eventDescriptor else { return }
    try loop.watch(events) { [unowned self] _ in self.readEvents() }
  }

  // MARK: Messages

  /// Reads the kernel's messages, and evaluates as soon as the schedule allows.
  private func readEvents() {
    if schedule.overrunsRepeat, pause() { return }
    if let now = drain() { requestEvaluation(at: now) }
  }

  /// Reads the kernel's messages. Returns the time if there was any news, otherwise `nil`.
  @discardableResult
  func drain() -> MonotonicInstant? {
    guard let result = inquiry.drain() else {
      retryLater()
      return nil
    }
    guard result.messages > 0 || result.overran else { return nil }
    counters.events += result.messages
    if result.overran { counters.overruns += 1 }
    let now = MonotonicInstant.now
    schedule.drained(result, at: now)
    return now
  }

  /// Stops watching the event socket until the next evaluation may start. Returns whether it has done so.
  ///
  /// The error of an overrun stays on the socket until it is read, and epoll(7) reports errors of every descriptor that
  /// is watched. So the socket is not watched at all.
  private func pause() -> Bool {
    guard let end = schedule.pauseEnd(at: .now), let events = inquiry.kernel.eventDescriptor else { return false }
    loop.unwatch(events)
    schedule.paused(until: end)
    evaluationTimer?.set(end)
    return true
  }

  /// Watches the event socket again. Every evaluation does this first: it must not leave the engine deaf.
  private func endPause() {
    guard schedule.isPausing else { return }
    // Without memory for the watch, the next evaluation tries again.
    if (try? watchMessages()) != nil { schedule.resumed() }
    drain()
  }

  // MARK: Evaluations

  /// Requests an evaluation because of news from another source than the kernel's messages.
  func otherNewsArrived() {
    schedule.otherNewsArrived()
    requestEvaluation(at: .now)
  }

  /// Evaluates now or as soon as the schedule allows.
  func requestEvaluation(at now: MonotonicInstant) {
    if schedule.evaluatesAtOnce(at: now) {
      evaluate(anew: .neither)
    } else {
      evaluationTimer?.set(schedule.evaluationDue)
    }
  }

  /// Evaluates again later, after a question that failed.
  func retryLater() {
    schedule.failed(at: .now)
    evaluationTimer?.set(schedule.evaluationDue)
  }

  /// Evaluates, and publishes the path if it has changed. The answers of the families are asked for anew.
  func evaluate(anew families: AddressFamilies) {
    endPause()
    let inquiry = inquiry
    let start = MonotonicInstant.now
    schedule.evaluationStarted(anew: families, at: start)
    let isReclassified = streams.isReclassificationDue(ruleChanges: inquiry.kernel.ruleChanges)
    if isReclassified { reclassify() }
    let former = schedule.awaitsRemoval ? inquiry.evaluation.path : nil
    let isChange = inquiry.evaluate(anew: families)
    let end = MonotonicInstant.now
    let showsRemoval = if isChange, let former { former != inquiry.evaluation.path } else { false }
    schedule.evaluated(from: start, to: end, hasFailed: inquiry.failure != nil, showsRemoval: showsRemoval)
    if isChange || isReclassified { publish(at: end) }
    if isChange { inquiry.forgetOldEvaluations() }
    evaluationTimer?.set(schedule.evaluationDue)
    secondLookTimer?.set(schedule.secondLookDue)
    scheduleLooks(at: end)
  }

  /// Passes the latest paths to the streams. Subscribers come before the observer, which nobody waits for.
  func publish(at now: MonotonicInstant) {
    streams.observe(inquiry, at: now)
    whenObserved?(inquiry.path())
  }

  // MARK: Looks without a message

  /// Sets the timers of the looks that depend on the latest evaluation.
  func scheduleLooks(at now: MonotonicInstant) {
    let inquiry = inquiry
    schedule.silentChangeExpected(after: inquiry.reevaluateAfter, lacksWatches: inquiry.lacksWatches, at: now)
    silentChangeTimer?.set(schedule.silentChangeDue)
    scheduleRouters(at: now)
    scheduleFileRetry(at: now)
  }

  /// Asks again about changes that the kernel may have announced before it made them.
  private func lookAgain() {
    if let families = schedule.secondLook { evaluate(anew: families) }
  }

  private func lookForSilentChange() {
    schedule.silentChangeLookStarted()
    if inquiry.lacksWatches { readFiles() }
    evaluate(anew: .all)
  }

  /// Evaluates everything anew after a clock change: the machine may have slept, and no earlier answer is certain.
  private func clockChanged() {
    try? clockWatch.acknowledge()
    endExpiredOverrides()
    evaluate(anew: .all)
  }
}

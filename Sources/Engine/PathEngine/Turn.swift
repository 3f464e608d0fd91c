internal import KernelPath
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// One turn of the loop, from the kernel's messages to the streams:
///
/// 1. The messages are read. They are hints; only links and addresses are taken from them.
/// 2. ``EngineSchedule`` says when to evaluate: at once, or after a pause where messages storm.
/// 3. For each class of users the kernel is asked. Unless it confirms the latest evaluation, the path is evaluated.
/// 4. Each stream debounces the path of its class and delivers it.
/// 5. The timers are set that start the turns without a message (``EngineTimers``).
///
/// News of files, a network manager and the clock begin with step 2 or 3, and so do questions of clients
/// (``PathEngine/fresh(of:_:)``). A question leaves step 4 to the next turn.
extension PathEngine {
  // MARK: 1. Messages

  /// The event socket can be read.
  func messagesArrived() {
    if schedule.overrunsRepeat, pause() { return }
    if let now = drain() { requestEvaluation(at: now) }
  }

  /// Reads the kernel's messages. Returns the time if there was any news, otherwise `nil`.
  @discardableResult
  func drain() -> MonotonicInstant? {
    let news: Kernel.News
    do throws(KernelPathError) {
      news = try reader.kernel.drain()
    } catch {
      reader.failure = error
      retryLater()
      return nil
    }
    guard news.messages > 0 || news.overran else { return nil }
    counters.events += news.messages
    if news.overran { counters.overruns += 1 }
    let now = MonotonicInstant.now
    schedule.drained(news, at: now)
    return now
  }

  /// Stops watching the event socket until the next evaluation may start. Returns whether it has done so.
  ///
  /// The error of an overrun stays on the socket until it is read, and epoll(7) reports errors of every descriptor that
  /// is watched. So the socket is not watched at all.
  private func pause() -> Bool {
    guard let end = schedule.pauseEnd(at: .now), let events = reader.kernel.eventDescriptor else { return false }
    loop.unwatch(events)
    schedule.paused(until: end)
    timers.set(by: schedule)
    return true
  }

  /// Watches the event socket again. Every evaluation does this first: it must not leave the engine deaf.
  private func endPause() {
    guard schedule.isPausing else { return }
    // Without memory for the watch, the next evaluation tries again.
    if (try? watchMessages()) != nil { schedule.resumed() }
    drain()
  }

  // MARK: 2. The moment

  /// News has come from another source than the kernel's messages.
  func otherNewsArrived() {
    schedule.otherNewsArrived()
    requestEvaluation(at: .now)
  }

  /// Evaluates now or as soon as the schedule allows.
  func requestEvaluation(at now: MonotonicInstant) {
    if schedule.evaluatesAtOnce(at: now) { evaluate(of: schedule.family) } else { timers.set(by: schedule) }
  }

  /// Evaluates again later, after a question that failed.
  func retryLater() {
    schedule.failed(at: .now)
    timers.set(by: schedule)
  }

  /// A second look is due.
  func lookAgain() {
    if schedule.looksAgain { evaluate() }
  }

  /// A look for a change without a message is due.
  func lookForSilentChange() {
    schedule.silentChangeLookStarted()
    if reader.lacksWatches { readFiles() }
    evaluate()
  }

  // MARK: 3. The evaluation

  /// Evaluates, and publishes the paths if any may have changed.
  ///
  /// - Parameters:
  ///   - family: The only family whose routes may have changed; `nil` if anything may have.
  ///   - isAnswering: Whether a client's question waits for it. The paths are then published in the next turn of the
  ///     loop: deliveries to thousands are not the client's work, and its user's other calls must not wait for them.
  func evaluate(of family: IPAddress.Family? = nil, isAnswering: Bool = false) {
    endPause()
    let start = MonotonicInstant.now
    schedule.evaluationStarted(at: start, of: family)
    let isReclassified = streams.haveUsers && reclassify()
    let former = reader.evaluation
    let isChange = reader.evaluate(of: family)
    let end = MonotonicInstant.now
    let showsRemoval = isChange && schedule.awaitsRemoval && former.path != reader.evaluation.path
    schedule.evaluated(from: start, to: end, hasFailed: reader.failure != nil, showsRemoval: showsRemoval)
    if isChange || isReclassified {
      if isAnswering { timers.setPublication(end) } else { publish(at: end) }
    }
    scheduleLooks(at: end)
    // It is freed now: nobody waits any longer (row `fresh`).
    withExtendedLifetime(former) {}
  }

  // MARK: 4. The streams

  /// Passes the latest path of its class to each stream. Subscribers come before the observer, which nobody waits for.
  func publish(at now: MonotonicInstant) {
    for stream in streams.all { stream.observe(reader.path(of: stream.representative), at: now) }
    whenObserved?(reader.path())
  }

  // MARK: 5. The next turn

  /// Sets the timers, also for the looks that depend on the latest evaluation.
  func scheduleLooks(at now: MonotonicInstant) {
    schedule.silentChangeExpected(after: reader.reevaluateAfter, lacksWatches: reader.lacksWatches, at: now)
    let (routers, followed) = (reader.routers, reader.kernel.followedRouters)
    if !routers.isEmpty, !followed.suffices(for: routers) {
      let isUrgent = reader.kernel.situation.networks.routers.failed.contains { !followed.awaited.contains($0.address) }
      schedule.routersChanged(at: now, isUrgent: isUrgent)
    }
    schedule.filesRead(hasUnread: reader.kernel.hasUnreadFiles, at: now)
    timers.set(by: schedule)
  }
}

/// The evaluation of the turn.
extension PathReader {
  /// Asks the kernel and evaluates for each class of users. When it cannot be asked, the latest paths are marked as
  /// stale.
  ///
  /// - Parameter family: The only family whose routes may have changed; `nil` if anything may have.
  /// - Returns: Whether any path may have changed.
  func evaluate(of family: IPAddress.Family?) -> Bool {
    evaluations += 1
    do throws(KernelPathError) {
      try kernel.bringUpToDate()
      var isChange = try own.evaluate(kernel, configuration.probes, of: family)
      for user in others.keys where try evaluate(user, of: family) { isChange = true }
      failure = nil
      return isChange
    } catch {
      failure = error
      own.becomeStale()
      for user in others.keys { others[user]??.becomeStale() }
      return true
    }
  }

  /// Evaluates for a class beside our own, perhaps for the first time. Returns whether the path may have changed.
  private func evaluate(_ user: UInt32, of family: IPAddress.Family?) throws(KernelPathError) -> Bool {
    if let known = others[user] ?? nil { return try known.evaluate(kernel, configuration.probes, of: family) }
    others[user] = try UserClassPath(of: user, kernel, configuration.probes)
    return true
  }
}

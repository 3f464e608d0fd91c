internal import SystemIO

/// Every timer of the engine: the moment that it waits for, and the call that follows. ``EngineSchedule`` decides the
/// moments, but for those of overrides, publications and streams.
struct EngineTimers {
  /// An evaluation that could not follow its news at once. It waits for the end of the pause after the evaluation
  /// before (``EvaluationPacing``), or of the pause in which a socket that overruns is not read. After a failure to ask
  /// the kernel, it waits for a second.
  private let evaluation: EventLoop.Timer
  /// A second look, 1 ms, 30 ms and 1 s after a message, because the kernel announces some changes before it makes them
  /// (``SecondLooks``).
  private let secondLook: EventLoop.Timer
  /// A look for a change without a message: the end of a route's lifetime, a change between routers of equal metric, or
  /// a changed file where the system has no watches left.
  private let silentChange: EventLoop.Timer
  /// The following of routers, a second after a path has begun to depend on them.
  private let routers: EventLoop.Timer
  /// Another reading of files that could not be read, after 1, 2, 4, up to 30 s.
  private let files: EventLoop.Timer
  /// The end of the override that ends first.
  private let overrides: EventLoop.Timer
  /// The publication of paths that a client's question has found changed.
  private let publication: EventLoop.Timer
  // Beside these, each stream has a timer of its own, see ``settling(of:on:)``.

  /// Timers of an engine that are not set yet.
  init(of engine: PathEngine) {
    let loop = engine.loop
    evaluation = loop.makeTimer { [unowned engine] in engine.evaluate() }
    secondLook = loop.makeTimer { [unowned engine] in engine.lookAgain() }
    silentChange = loop.makeTimer { [unowned engine] in engine.lookForSilentChange() }
    routers = loop.makeTimer { [unowned engine] in engine.followRouters() }
    files = loop.makeTimer { [unowned engine] in engine.retryFiles() }
    overrides = loop.makeTimer { [unowned engine] in engine.endExpiredOverrides() }
    publication = loop.makeTimer { [unowned engine] in engine.publish(at: .now) }
  }

  /// The timer of a stream: the moment at which a changed path has rested for the settle time, or has changed for the
  /// longest time.
  static func settling(of stream: PathStream, on loop: EventLoop) -> EventLoop.Timer {
    loop.makeTimer { [unowned stream] in stream.settled(at: .now) }
  }

  /// Sets the timers to the moments of the schedule.
  func set(by schedule: EngineSchedule) {
    evaluation.set(schedule.evaluationDue)
    secondLook.set(schedule.secondLookDue)
    silentChange.set(schedule.silentChangeDue)
    routers.set(schedule.routersDue)
    files.set(schedule.fileRetryDue)
  }

  /// Sets the timer of the overrides.
  func setEndOfOverrides(_ moment: MonotonicInstant?) { overrides.set(moment) }

  /// Sets the timer of the publication.
  func setPublication(_ moment: MonotonicInstant) { publication.set(moment) }

  /// Removes the timers from the loop.
  func remove(from loop: EventLoop) {
    for timer in [evaluation, secondLook, silentChange, routers, files, overrides, publication] { loop.remove(timer) }
  }
}

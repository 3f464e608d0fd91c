package import PathModel

/// When `pathctl targets` has the targets started and stopped: a decision for each thing that happens, without doing
/// any of it.
///
/// Nothing is known of the targets at first, so that the first known path brings each in line. From then on a target
/// follows what has been so for a while. Only one `systemctl` runs at a time, and one that fails is run again later.
package struct TargetSwitching<Instant: InstantProtocol & Sendable>: Sendable where Instant.Duration == Duration {
  /// A job for systemd.
  package struct Job: Hashable, Sendable {
    /// What is started or stopped.
    package var target: SystemdTarget
    /// Whether it is started.
    package var isStart: Bool

    /// A start or a stop.
    package init(_ target: SystemdTarget, isStart: Bool) {
      self.target = target
      self.isStart = isStart
    }

    /// The command that queues it. It does not wait until the units that come with the target have started.
    package var words: [String] { ["systemctl", "--no-block", isStart ? "start" : "stop", target.rawValue] }
  }

  /// What is to be done, in this order.
  package enum Action: Hashable, Sendable {
    /// Run the command of the job, and say how it has ended with ``commandEnded(isSuccess:at:)``.
    case run(Job)
    /// Tell the user that the job could not be queued, and when that is tried again.
    case tellFailure(Job, pause: Duration)
    /// Say ``timerFired(at:)`` at the moment; `nil` for never.
    case wake(at: Instant?)
  }

  private struct Switch {
    /// What the target is to be; `nil` while that has never been known.
    var isWanted: Bool?
    /// What it is to be if the path stays as it is until the moment.
    var change: (isWanted: Bool, due: Instant)?
    /// What it was made last; `nil` when that is not known.
    var isActive: Bool?
    /// How long to wait after the next failure.
    var pause = TargetSwitching.shortestPause
    /// When a job that has failed is tried again.
    var retry: Instant?
  }

  private let onAfter: Duration
  private let offAfter: Duration
  private var switches = [Switch](repeating: Switch(), count: SystemdTarget.allCases.count)
  private var running: (index: Int, job: Job)?
  private var wake: Instant?

  /// The pause after the first failure; it doubles with each that follows.
  package static var shortestPause: Duration { .seconds(1) }
  /// The longest pause between two tries.
  package static var longestPause: Duration { .seconds(256) }

  /// The switching of targets whose state is not known.
  ///
  /// - Parameters:
  ///   - onAfter: How long the path must be as required before a target is started.
  ///   - offAfter: How long it must not be so before a target is stopped.
  package init(onAfter: Duration, offAfter: Duration) {
    self.onAfter = onAfter
    self.offAfter = offAfter
  }

  /// The path has changed.
  package mutating func take(_ path: NetworkPath, at now: Instant) -> [Action] {
    for (index, target) in SystemdTarget.allCases.enumerated() {
      switch target.requirement.verdict(on: path) {
      case .met: judge(index, true, at: now)
      case .notMet: judge(index, false, at: now)
      // Our own ignorance moves nothing, and what is not known does not count as having lasted.
      case .unknown: switches[index].change = nil
      }
    }
    return proceed(at: now)
  }

  /// The command of ``Action/run(_:)`` has ended, or could not be started.
  package mutating func commandEnded(isSuccess: Bool, at now: Instant) -> [Action] {
    guard let (index, job) = running.take() else { return [] }
    if isSuccess {
      switches[index].isActive = job.isStart
      switches[index].pause = Self.shortestPause
      return proceed(at: now)
    }
    // It may have been queued all the same.
    switches[index].isActive = nil
    let pause = switches[index].pause
    switches[index].retry = now.advanced(by: pause)
    switches[index].pause = min(pause * 2, Self.longestPause)
    return [.tellFailure(job, pause: pause)] + proceed(at: now)
  }

  /// The moment of ``Action/wake(at:)`` has come.
  package mutating func timerFired(at now: Instant) -> [Action] {
    wake = nil
    return proceed(at: now)
  }

  private mutating func judge(_ index: Int, _ isMet: Bool, at now: Instant) {
    if switches[index].isWanted == isMet {
      switches[index].change = nil
    } else if switches[index].isWanted == nil {
      switches[index].isWanted = isMet
    } else if switches[index].change == nil {
      switches[index].change = (isMet, now.advanced(by: isMet ? onAfter : offAfter))
    }
  }

  private mutating func proceed(at now: Instant) -> [Action] {
    for index in switches.indices {
      if let (isWanted, due) = switches[index].change, due <= now {
        switches[index].isWanted = isWanted
        switches[index].change = nil
        // Another job may fare better.
        switches[index].retry = nil
      }
      if let retry = switches[index].retry, retry <= now { switches[index].retry = nil }
    }
    return start() + rewake()
  }

  private mutating func start() -> [Action] {
    guard running == nil else { return [] }
    for (index, target) in SystemdTarget.allCases.enumerated() {
      let its = switches[index]
      guard let isWanted = its.isWanted, its.isActive != isWanted, its.retry == nil else { continue }
      let job = Job(target, isStart: isWanted)
      running = (index, job)
      return [.run(job)]
    }
    return []
  }

  private mutating func rewake() -> [Action] {
    let earliest = switches.flatMap { [$0.change?.due, $0.retry] }.compactMap { $0 }.min()
    guard earliest != wake else { return [] }
    wake = earliest
    return [.wake(at: earliest)]
  }
}

package import PathModel
package import SystemIO

/// Decides when `pathctl targets` starts and stops the targets. Each input returns actions, and the caller performs
/// them.
///
/// The state of the targets is unknown at first, so the first known path starts or stops each of them. From then on a
/// target follows a change of the path that has lasted. Only one `systemctl` runs at a time, and a failed one is
/// retried later.
package struct TargetSwitching: Sendable {
  /// A job for systemd.
  package struct Job: Hashable, Sendable {
    /// The target to start or stop.
    package var target: SystemdTarget
    /// Whether the target is started.
    package var isStart: Bool

    /// A start or a stop.
    package init(_ target: SystemdTarget, isStart: Bool) {
      self.target = target
      self.isStart = isStart
    }

    /// The command that queues the job. It does not wait until the units of the target have started.
    package var words: [String] { ["systemctl", "--no-block", isStart ? "start" : "stop", target.rawValue] }
  }

  /// An action for the caller. The actions of a list are performed in order.
  package enum Action: Hashable, Sendable {
    /// Run the command of the job, and report its end with ``commandEnded(isSuccess:at:)``.
    case run(Job)
    /// Report to the user that the job could not be queued, and the pause before the next attempt.
    case reportFailure(Job, pause: Duration)
    /// Call ``timerFired(at:)`` at the moment; `nil` cancels the timer.
    case wake(at: MonotonicInstant?)
  }

  private struct Switch {
    /// The wanted state of the target; `nil` before the first known path.
    var isWanted: Bool?
    /// The next wanted state, and the moment when it comes into force if the path stays as it is.
    var change: (isWanted: Bool, due: MonotonicInstant)?
    /// The state after the last job; `nil` when it is unknown.
    var isActive: Bool?
    /// The pauses after jobs that failed.
    var pauses = RetryPauses(longest: .seconds(256))
    /// The moment to retry a failed job.
    var retry: MonotonicInstant?
  }

  private let onAfter: Duration
  private let offAfter: Duration
  private let targets: [SystemdTarget]
  private var switches: [Switch]
  private var running: (index: Int, job: Job)?
  private var wake: MonotonicInstant?

  /// The switching of targets whose state is not known.
  ///
  /// - Parameters:
  ///   - targets: The targets, which change in this order.
  ///   - onAfter: The time that the path must be as required before a target is started.
  ///   - offAfter: The time that the path must not be as required before a target is stopped.
  package init(of targets: [SystemdTarget] = SystemdTarget.allCases, onAfter: Duration, offAfter: Duration) {
    self.targets = targets
    self.onAfter = onAfter
    self.offAfter = offAfter
    switches = [Switch](repeating: Switch(), count: targets.count)
  }

  /// Reacts to a new path.
  package mutating func observe(_ path: NetworkPath, at now: MonotonicInstant) -> [Action] {
    for (index, target) in targets.enumerated() {
      switch target.requirement.gatingVerdict(on: path) {
      case .met: judge(index, true, at: now)
      case .notMet: judge(index, false, at: now)
      // An unknown path switches no target, and a pending change has to last from the beginning again.
      case .unknown: switches[index].change = nil
      }
    }
    return proceed(at: now)
  }

  /// Reacts to the end of the command of ``Action/run(_:)``, or to its failure to start.
  package mutating func commandEnded(isSuccess: Bool, at now: MonotonicInstant) -> [Action] {
    guard let (index, job) = running.take() else { return [] }
    if isSuccess {
      switches[index].isActive = job.isStart
      switches[index].pauses.reset()
      return proceed(at: now)
    }
    // systemd may have queued the job before the command failed.
    switches[index].isActive = nil
    let pause = switches[index].pauses.next()
    switches[index].retry = now.advanced(by: pause)
    return [.reportFailure(job, pause: pause)] + proceed(at: now)
  }

  /// Reacts to the moment of ``Action/wake(at:)``.
  package mutating func timerFired(at now: MonotonicInstant) -> [Action] {
    wake = nil
    return proceed(at: now)
  }

  private mutating func judge(_ index: Int, _ isMet: Bool, at now: MonotonicInstant) {
    if switches[index].isWanted == isMet {
      switches[index].change = nil
    } else if switches[index].isWanted == nil {
      switches[index].isWanted = isMet
    } else if switches[index].change == nil {
      switches[index].change = (isMet, now.advanced(by: isMet ? onAfter : offAfter))
    }
  }

  private mutating func proceed(at now: MonotonicInstant) -> [Action] {
    for index in switches.indices {
      if let (isWanted, due) = switches[index].change, due <= now {
        switches[index].isWanted = isWanted
        switches[index].change = nil
        // The new state needs another job, which may succeed at once.
        switches[index].retry = nil
      }
      if let retry = switches[index].retry, retry <= now { switches[index].retry = nil }
    }
    return start() + rewake()
  }

  private mutating func start() -> [Action] {
    guard running == nil else { return [] }
    for (index, target) in targets.enumerated() {
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

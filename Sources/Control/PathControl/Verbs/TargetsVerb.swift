package import KernelPath
internal import PathModel
internal import Programs
internal import SystemIO

extension Verb {
  /// Starts and stops targets with the path.
  package static let targets = Verb(
    name: "targets", summary: "Have systemd's targets follow the path",
    options: [TargetsOrder.onAfter.option, TargetsOrder.offAfter.option] + Option.forPrograms,
    details: [
      .text(
        """
        path-online.target is active while the path is connected, path-unmetered.target while it is unmetered: units \
        that are bound to them come and go with the path. The first path that is known brings both in line at once. \
        From then on they follow what has lasted: a link that flaps moves nothing, and neither does a path that cannot \
        be known for a while, as when the service restarts.
        """),
      .text(
        "pathmonitor-targets.service runs this verb. Each start and stop is a line of its output, with the path as the "
          + "reason. A failure of systemctl is reported, and systemctl is run again. "
          + "The verb ends with a signal, and leaves the targets as they are then."),
    ],
    exits: []
  ) { arguments in
    TargetsOrder(
      onAfter: arguments[TargetsOrder.onAfter] ?? .seconds(2),
      offAfter: arguments[TargetsOrder.offAfter] ?? .seconds(30))
  }
}

/// Start and stop targets when a change of the path has lasted.
package struct TargetsOrder: VerbOrder {
  static let onAfter = OwnOption.time(
    "--on-after", example: "10s",
    summary: "Start a target when the path has been as required so long; 2s by default")
  static let offAfter = OwnOption.time(
    "--off-after", example: "5min",
    summary: "Stop it when the path has not been as required for so long; 30s by default")

  private let onAfter: Duration
  private let offAfter: Duration

  /// The order of `pathctl targets`.
  package init(onAfter: Duration, offAfter: Duration) {
    (self.onAfter, self.offAfter) = (onAfter, offAfter)
  }

  /// Drives the targets until a signal comes.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try TargetsVerb(invocation, onAfter: onAfter, offAfter: offAfter).follow()
  }
}

/// `pathctl targets`: targets of systemd that follow the path. A ``TargetSwitching`` decides when they are started and
/// stopped. A systemctl that runs when a signal comes may end by itself, because its job is still right.
final class TargetsVerb: ProgramVerb {
  private var switching: TargetSwitching
  private var timer: EventLoop.Timer?
  /// The exit status after a signal, which waits for a running systemctl.
  private var endStatus: Int32?
  /// The newest path in words, the reason for the jobs.
  private var path = ""
  /// The reason why the last job failed, in words.
  private var failure = ""

  init(_ invocation: Invocation, onAfter: Duration, offAfter: Duration) throws(KernelPathError) {
    switching = TargetSwitching(onAfter: onAfter, offAfter: offAfter)
    try super.init(invocation)
    timer = loop.makeTimer { [unowned self] in self.perform(self.switching.timerFired(at: .now)) }
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(SystemdTarget.unmetered.requirement) }

  override func handle(_ path: NetworkPath) {
    self.path = PathSummary(path)[.brief]
    perform(switching.observe(path, at: .now))
  }

  override func handle(endingSignal signal: Int32) {
    endStatus = ExitStatus.signal(signal)
    if isProgramRunning { askToEnd(nil, isFinal: true) } else { end(ExitStatus.signal(signal)) }
  }

  override func programEnded(_ ending: ChildProcesses.Ending) {
    if let endStatus { return end(endStatus) }
    switch ending {
    case .exited(let status): failure = "has failed with exit status \(status)"
    case .killed(let signal): failure = "was ended by signal \(signal)"
    }
    perform(switching.commandEnded(isSuccess: ending == .exited(0), at: .now))
  }

  private func perform(_ actions: [TargetSwitching.Action]) {
    for action in actions {
      switch action {
      case .run(let job):
        write(Array("\(job.isStart ? "starting" : "stopping") \(job.target.rawValue): \(path)\n".utf8))
        start(job)
      case .reportFailure(let job, let pause):
        let command = job.words.joined(separator: " ")
        PathControl.complain("'\(command)' \(failure); it is tried again in \(pause.components.seconds) s")
      case .wake(let moment): timer?.set(moment)
      }
    }
  }

  private func start(_ job: TargetSwitching.Job) {
    do throws(SystemError) {
      try start(job.words.map { Array($0.utf8CString) })
    } catch {
      failure = "cannot be run: \(error.reason)"
      perform(switching.commandEnded(isSuccess: false, at: .now))
    }
  }
}

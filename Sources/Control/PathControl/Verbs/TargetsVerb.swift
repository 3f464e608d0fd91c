package import KernelPath
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl targets`: starts and stops targets when a change of the path has lasted.
package struct TargetsVerb: Verb {
  package static let name = "targets"
  package static let summary = "Have systemd's targets follow the path"
  package static var ownOptions: [Option<TargetsVerb>] { [startDelay, stopDelay] + Option.forPrograms }
  package static let details = """
    path-online.target is active while the path is connected, path-unmetered.target while it is
    unmetered, path-validated.target while the Internet is known to answer: units that are bound to
    them come and go with the path. The first path that is known brings all of them in line at once.
    From then on they follow what has lasted: a link that flaps moves nothing, and neither does a path
    that cannot be known for a while, as when the service restarts. Without the service the verb
    waits for it.
    pathmonitor-targets.service runs this verb. Each start and stop is a line of its output, with the
    path as the reason. A failure of systemctl is reported, and systemctl is run again. The verb ends
    with a signal, and leaves the targets as they are then.
    """
  package static let exits: [(status: Int32, meaning: String)] = []

  private static var startDelay: Option<TargetsVerb> {
    Option(
      "--on-after", .time, example: "10s",
      summary: "Start a target when the path has been as required so long; 2s by default"
    ) { (verb, value) throws(UsageError) in verb.onAfter = try value.time() }
  }
  private static var stopDelay: Option<TargetsVerb> {
    Option(
      "--off-after", .time, example: "5min",
      summary: "Stop it when the path has not been as required for so long; 30s by default"
    ) { (verb, value) throws(UsageError) in verb.offAfter = try value.time() }
  }

  package var invocation = Invocation()
  /// The time that the path must be as required before a target is started.
  package private(set) var onAfter = Duration.seconds(2)
  /// The time that the path must not be as required before a target is stopped.
  package private(set) var offAfter = Duration.seconds(30)

  package init() {}

  /// Drives the targets until a signal comes.
  package func run() throws(KernelPathError) -> Int32 { try TargetsSession(self).follow() }
}

/// `pathctl targets` while it runs. A ``TargetSwitching`` decides when the targets are started and stopped. A systemctl
/// that runs when a signal comes may end by itself, because its job is still right.
final class TargetsSession: ProgramSession {
  private var switching: TargetSwitching
  private var timer: EventLoop.Timer?
  /// The exit status after a signal, which waits for a running systemctl.
  private var endStatus: Int32?
  /// The newest path in words, the reason for the jobs.
  private var path = ""
  /// The reason why the last job failed, in words.
  private var failure = ""

  init(_ verb: TargetsVerb) throws(KernelPathError) {
    switching = TargetSwitching(onAfter: verb.onAfter, offAfter: verb.offAfter)
    try super.init(verb.invocation)
    timer = loop.makeTimer { [unowned self] in self.perform(self.switching.timerFired(at: .now)) }
  }

  override var waitsForService: Bool { true }
  override var needOfService: String? { SystemdTarget.unmetered.requirement.needOfService }

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

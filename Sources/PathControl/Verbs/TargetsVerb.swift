internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// `pathctl targets`: targets of systemd that are active while the path is of a kind. When they are started and stopped
/// a ``TargetSwitching`` decides.
final class TargetsVerb: FollowingVerb {
  private let launcher: ProgramLauncher
  private var switching: TargetSwitching<MonotonicInstant>
  private var timer: EventLoop.Timer?
  private var group: ProcessGroup?
  /// Why the last job failed, in words.
  private var failure = ""

  init(_ invocation: Invocation, onAfter: Duration, offAfter: Duration) throws(KernelPathError) {
    switching = TargetSwitching(onAfter: onAfter, offAfter: offAfter)
    launcher = try KernelPathError.translating { () throws(SystemError) in
      try ChildProcesses.adoptOrphans()
      return try ProgramLauncher()
    }
    try super.init(invocation)
    timer = loop.makeTimer { [unowned self] in self.perform(self.switching.timerFired(at: .now)) }
  }

  func run() throws(KernelPathError) -> Int32 {
    // A systemctl that runs when one comes is left to end: it has been told what is right.
    let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !SignalWatch.isIgnored($0) }
    return try follow(signals: ending + [SIGCHLD])
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(SystemdTarget.unmetered.requirement) }

  override func take(_ path: NetworkPath) { perform(switching.take(path, at: .now)) }

  override func take(signal: Int32) {
    guard signal == SIGCHLD else { return super.take(signal: signal) }
    for (process, change) in ChildProcesses.takeChanges() where process == group?.number {
      guard case .ended(let ending) = change else { continue }
      group = nil
      switch ending {
      case .exited(let status): failure = "has failed with exit status \(status)"
      case .killed(let signal): failure = "was ended by signal \(signal)"
      }
      perform(switching.commandEnded(isSuccess: ending == .exited(0), at: .now))
    }
  }

  private func perform(_ actions: [TargetSwitching<MonotonicInstant>.Action]) {
    for action in actions {
      switch action {
      case .run(let job): start(job)
      case .tellFailure(let job, let pause):
        let command = job.words.joined(separator: " ")
        PathControl.complain("'\(command)' \(failure); it is tried again in \(pause.components.seconds) s")
      case .wake(let moment): timer?.set(moment)
      }
    }
  }

  private func start(_ job: TargetSwitching<MonotonicInstant>.Job) {
    do throws(SystemError) {
      group = try launcher.start(job.words.map { Array($0.utf8CString) }, input: .none)
    } catch {
      failure = "cannot be run: \(error.reason)"
      perform(switching.commandEnded(isSuccess: false, at: .now))
    }
  }
}

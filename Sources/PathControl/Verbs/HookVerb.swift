internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// `pathctl watch --exec`: a command for each update. An ``UpdateHook`` decides when it runs.
final class HookVerb: FollowingVerb {
  private let words: [[CChar]]
  private let launcher: ProgramLauncher
  private var hook = UpdateHook()
  private var group: ProcessGroup?
  private var limits: WatchLimits

  init(_ invocation: Invocation, _ command: String, _ limits: WatchLimits) throws(KernelPathError) {
    self.limits = limits
    words = ["/bin/sh", "-c", command].map { Array($0.utf8CString) }
    launcher = try KernelPathError.translating { () throws(SystemError) in
      try ChildProcesses.adoptOrphans()
      return try ProgramLauncher()
    }
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.pathsEnded(ExitStatus.yes) }
    endAfter(limits.timeout) { [unowned self] in self.perform(self.hook.end(ExitStatus.timedOut)) }
    let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !SignalWatch.isIgnored($0) }
    return try follow(signals: ending + [SIGCHLD])
  }

  override func handle(_ path: NetworkPath) {
    if invocation.isJSON { write(path.jsonLine) }
    perform(hook.handle(path))
  }

  override func pathsEnded(_ status: Int32) { perform(hook.end(status)) }

  override func handle(signal: Int32) {
    guard signal == SIGCHLD else { return perform(hook.handle(signal: signal)) }
    for (process, change) in ChildProcesses.collectChanges() where process == group?.number {
      guard case .ended = change else { continue }
      group = nil
      perform(hook.commandEnded())
    }
  }

  private func perform(_ actions: [UpdateHook.Action]) {
    for action in actions {
      switch action {
      case .run(let path, let former):
        start(path, former)
        if let status = limits.statusAfterUpdate() { perform(hook.end(status)) }
      case .send(let signal): try? group?.send(signal)
      case .end(let status): end(status)
      }
    }
  }

  private func start(_ path: NetworkPath, _ former: NetworkPath?) {
    do throws(SystemError) {
      group = try launcher.start(words, adding: PathVariables.of(path, former: former), input: .none)
    } catch {
      end(PathControl.complain(ofCommand: "/bin/sh", error))
    }
  }
}

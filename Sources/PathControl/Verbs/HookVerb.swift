internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// `pathctl watch --exec`: a command for each update. An ``UpdateHook`` decides when it runs.
final class HookVerb: ProgramVerb {
  private let words: [[CChar]]
  private var hook = UpdateHook()
  private var limits: WatchLimits

  init(_ invocation: Invocation, _ command: String, _ limits: WatchLimits) throws(KernelPathError) {
    self.limits = limits
    words = ["/bin/sh", "-c", command].map { Array($0.utf8CString) }
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.pathsEnded(ExitStatus.yes) }
    endAfter(limits.timeout) { [unowned self] in self.perform(self.hook.end(ExitStatus.timedOut)) }
    return try follow()
  }

  override func handle(_ path: NetworkPath) {
    if invocation.isJSON { write(path.jsonLine) }
    perform(hook.handle(path))
  }

  override func pathsEnded(_ status: Int32) { perform(hook.end(status)) }

  override func handle(endingSignal signal: Int32) { perform(hook.handle(signal: signal)) }

  override func programEnded(_ ending: ChildProcesses.Ending) { perform(hook.commandEnded()) }

  private func perform(_ actions: [UpdateHook.Action]) {
    for action in actions {
      switch action {
      case .run(let path, let former):
        start(path, former)
        if let status = limits.statusAfterUpdate() { perform(hook.end(status)) }
      case .send(let signal): send(signal)
      case .end(let status): end(status)
      }
    }
  }

  private func start(_ path: NetworkPath, _ former: NetworkPath?) {
    do throws(SystemError) {
      try start(words, adding: PathVariables.of(path, former: former))
    } catch {
      end(PathControl.complain(ofCommand: "/bin/sh", error))
    }
  }
}

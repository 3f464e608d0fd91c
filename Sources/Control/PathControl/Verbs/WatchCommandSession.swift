internal import Glibc
internal import KernelPath
internal import PathModel
internal import Programs
internal import SystemIO

/// `pathctl watch --exec`: a command for each update. A ``HookDispatch`` decides when it runs.
final class WatchCommandSession: ProgramSession {
  private let words: [[CChar]]
  private var dispatch = HookDispatch(limit: nil)
  private var limits: WatchLimits
  private var lookTimer: EventLoop.Timer?

  init(_ verb: WatchVerb, _ command: String) throws(KernelPathError) {
    limits = verb.limits
    words = ["/bin/sh", "-c", command].map { Array($0.utf8CString) }
    try super.init(verb.invocation)
    lookTimer = loop.makeTimer { [unowned self] in self.perform(self.dispatch.lookAgain(at: .now)) }
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.pathsEnded(ExitStatus.yes) }
    endAfter(limits.timeout) { [unowned self] in self.perform(self.dispatch.end(ExitStatus.timedOut, asking: nil)) }
    return try follow()
  }

  override func handle(_ path: NetworkPath) {
    if invocation.isJSON { write(path.jsonLine) }
    perform(dispatch.handle(path, at: .now))
  }

  override func pathsEnded(_ status: Int32) { perform(dispatch.end(status, asking: nil)) }

  override func handle(endingSignal signal: Int32) {
    perform(dispatch.end(ExitStatus.signal(signal), asking: signal))
  }

  override func programEnded(_ ending: ChildProcesses.Ending) { perform(dispatch.programEnded(at: .now)) }

  private func perform(_ actions: [HookDispatch.Action]) {
    for action in actions {
      switch action {
      case .list: perform(dispatch.run(programs: ["/bin/sh"], at: .now))
      case .start(_, let run):
        start(run)
        if let status = limits.statusAfterUpdate() { perform(dispatch.end(status, asking: nil)) }
      case .askToEnd(let signal, let isFinal): askToEnd(signal, isFinal: isFinal)
      case .lookAgain(let moment): lookTimer?.set(moment)
      // The command takes as long as it takes.
      case .wake, .reportTimeout: break
      case .end(let status): end(status)
      }
    }
  }

  private func start(_ run: HookDispatch.Run) {
    do throws(SystemError) {
      try start(words, adding: PathVariables.of(run))
    } catch {
      end(PathControl.complain(ofCommand: "/bin/sh", error))
    }
  }
}

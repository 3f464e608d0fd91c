internal import Glibc
package import KernelPath
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl hooks`: runs the programs of a directory when the path changes.
package struct HooksVerb: Verb {
  package static let name = "hooks"
  package static let summary = "Run the programs of a directory whenever the path changes"
  package static var ownOptions: [Option<HooksVerb>] { [place, longest] + Option.forPrograms }
  package static let details = """
    Runs the programs in /etc/pathmonitor/hooks.d for the path as it is and for each update, in the
    order of their names, one at a time. What comes meanwhile is one update, the newest. Without the
    service the verb waits for it, and a path that is the same after its restart is none. A program finds
    the path in its environment, in the variables of 'pathctl watch --exec': PATH_STATUS, PATH_INTERFACE
    and so on as it is now, PATH_FORMER_STATUS and so on as it was in the run before, PATH_CHANGED, and
    PATH_MOVED for programs with connections.
    It reads from /dev/null, and what it prints goes where pathctl prints, under systemd to the journal.
    A program is an executable regular file that belongs to root, or to the user who runs pathctl, and
    that nobody else may change; the same holds for the directory. Anything else is not run, with a
    message. Links are not followed. A file without the right to execute is switched off, and hidden
    files and copies (~, .bak, .dpkg-*) are left out. The directory is read anew for each update.
    A program that takes longer than --timeout is ended with SIGTERM, and 5 s later with SIGKILL,
    together with all that it has started. So is what a program leaves behind when it ends, in the
    background or as a daemon, before the next one is run; what is to stay runs as a unit: 'systemd-run
    COMMAND'. One that fails is reported. This is what pathmonitor-hooks.service runs, which is
    installed but not enabled: 'systemctl enable --now pathmonitor-hooks.service'.
    """
  package static let exits: [(status: Int32, meaning: String)] = []
  package static let examples = [
    (
      purpose: "Mount a file server while there is a cable, in /etc/pathmonitor/hooks.d/50-server",
      lines: """
      #!/bin/sh
      case "$PATH_FORMER_TYPE/$PATH_TYPE" in
        */wiredEthernet) systemctl start srv.mount ;;
        wiredEthernet/*) systemctl stop srv.mount ;;
      esac
      """
    )
  ]

  private static var place: Option<HooksVerb> {
    Option(
      "--directory", .path, example: "/etc/pathmonitor/hooks.d",
      summary: "Where the programs are, if not in /etc/pathmonitor/hooks.d"
    ) { (verb, value) throws(UsageError) in verb.directory = HookDirectory(try value.path()) }
  }
  private static var longest: Option<HooksVerb> {
    Option(
      "--timeout", .time, example: "30s", summary: "How long a program may take before it is ended; else 90s"
    ) { (verb, value) throws(UsageError) in verb.limit = try value.time() }
  }

  package var invocation = Invocation()
  /// The directory of the programs.
  package private(set) var directory = HookDirectory()
  /// The time that a program may take.
  package private(set) var limit = Duration.seconds(90)

  package init() {}

  /// Runs the programs until a signal comes.
  package func run() throws(KernelPathError) -> Int32 { try HooksSession(self).follow() }
}

/// `pathctl hooks` while it runs: the programs of a directory for each update. A ``HookDispatch`` decides, and this
/// class performs its actions.
final class HooksSession: ProgramSession {
  private let directory: HookDirectory
  private var dispatch: HookDispatch
  private var timer: EventLoop.Timer?
  private var lookTimer: EventLoop.Timer?
  private var running = ""
  /// Whether a signal has asked this program to end.
  private var isEnding = false
  /// The problems that were reported at the last reading of the directory.
  private var problems: [String] = []

  init(_ verb: HooksVerb) throws(KernelPathError) {
    directory = verb.directory
    dispatch = HookDispatch(limit: verb.limit, skipsKnowledge: true)
    try super.init(verb.invocation)
    timer = loop.makeTimer { [unowned self] in self.perform(self.dispatch.timerFired()) }
    lookTimer = loop.makeTimer { [unowned self] in self.perform(self.dispatch.lookAgain(at: .now)) }
  }

  override var waitsForService: Bool { true }
  /// A cost that the kernel alone does not know would look like "unmetered" to the programs.
  override var needOfService: String? {
    "PATH_EXPENSIVE cannot be known without the service. Start pathmonitord, or say --direct."
  }

  override func handle(_ path: NetworkPath) { perform(dispatch.handle(path, at: .now)) }

  override func pathsEnded(_ status: Int32) { perform(dispatch.end(status, asking: SIGTERM)) }

  override func handle(endingSignal signal: Int32) {
    isEnding = true
    perform(dispatch.end(ExitStatus.signal(signal), asking: SIGTERM))
  }

  override func programEnded(_ ending: ChildProcesses.Ending) {
    switch ending {
    case .exited(0): break
    case .exited(let status): complain("the hook \(running) has failed with exit status \(status)")
    // This program has sent the signal, because it is to end itself.
    case .killed where isEnding: break
    case .killed(let signal): complain("the hook \(running) was ended by signal \(signal)")
    }
    perform(dispatch.programEnded(at: .now))
  }

  private func perform(_ actions: [HookDispatch.Action]) {
    for action in actions {
      switch action {
      case .list: perform(dispatch.run(programs: list(), at: .now))
      case .start(let program, let run): start(program, run)
      case .askToEnd(let signal, let isFinal): askToEnd(signal, isFinal: isFinal)
      case .wake(let moment): timer?.set(moment)
      case .lookAgain(let moment): lookTimer?.set(moment)
      case .reportTimeout(let program): complain("the hook \(program) takes too long, and is ended")
      case .end(let status): end(status)
      }
    }
  }

  /// The programs of the directory. A problem that lasts is reported once.
  private func list() -> [String] {
    let listing = directory.list()
    for problem in listing.problems where !problems.contains(problem) { complain(problem) }
    problems = listing.problems
    return listing.programs
  }

  private func start(_ program: String, _ run: HookDispatch.Run) {
    running = program
    do throws(SystemError) {
      try start([Array(program.utf8CString)], adding: PathVariables.of(run))
    } catch {
      complain("the hook \(program) \(PathControl.obstacle(toRunning: error))")
      perform(dispatch.programEnded(at: .now))
    }
  }
}

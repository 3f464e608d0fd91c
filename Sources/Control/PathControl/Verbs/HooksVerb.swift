internal import Glibc
package import KernelPath
internal import PathModel
internal import Programs
internal import SystemIO

extension Verb {
  /// Runs the programs of a directory when the path changes.
  package static let hooks = Verb(
    name: "hooks", summary: "Run the programs of a directory whenever the path changes",
    options: [HooksOrder.directory.option, HooksOrder.limit.option] + Option.forPrograms,
    details: [
      .text(
        """
        Runs the programs in \(HookDirectory.defaultPath) for the path as it is and for each update, in the order of \
        their names, one at a time. What comes meanwhile is one update, the newest. A program finds the path in its \
        environment, in the variables of 'pathctl watch --exec': PATH_STATUS, PATH_INTERFACE and so on as it is \
        now, PATH_FORMER_STATUS and so on as it was in the run before, and PATH_CHANGED. It reads from \
        /dev/null, and what it prints goes where pathctl prints, under systemd to the journal.
        """),
      .text(
        """
        A program is an executable regular file that belongs to root, or to the user who runs pathctl, and that nobody \
        else may change; the same holds for the directory. Anything else is not run, with a message. Links are not \
        followed. A file without the right to execute is switched off, and hidden files and copies (~, .bak, .dpkg-*) \
        are left out. The directory is read anew for each update.
        """),
      .text(
        """
        A program that takes longer than --timeout is ended with SIGTERM, and \
        \(ProgramVerb.grace.components.seconds) s later with SIGKILL, together with all that it has started. So is what \
        a program leaves behind when it ends, in the background or as a daemon, before the next one is run; what is \
        to stay runs as a unit: 'systemd-run COMMAND'. One that fails is reported. This is what \
        pathmonitor-hooks.service runs, which is installed but not enabled: 'systemctl enable --now \
        pathmonitor-hooks.service'.
        """),
    ],
    exits: [],
    examples: [
      Example(
        "Mount a file server while there is a cable, in /etc/pathmonitor/hooks.d/50-server",
        """
        #!/bin/sh
        case "$PATH_FORMER_TYPE/$PATH_TYPE" in
          */wiredEthernet) systemctl start srv.mount ;;
          wiredEthernet/*) systemctl stop srv.mount ;;
        esac
        """)
    ]
  ) { arguments in
    HooksOrder(directory: arguments[HooksOrder.directory], limit: arguments[HooksOrder.limit])
  }
}

/// Run the programs of a directory whenever the path changes.
package struct HooksOrder: VerbOrder {
  static let directory = OwnOption(
    "--directory", .path, example: "/etc/pathmonitor/hooks.d",
    summary: "Where the programs are, if not in /etc/pathmonitor/hooks.d"
  ) { (option, text) throws(UsageError) in try option.path(from: text) }
  static let limit = OwnOption.time(
    "--timeout", example: "30s",
    summary: "How long a program may take before it is ended; else 90s")

  private let directory: HookDirectory
  private let limit: Duration

  /// The order of `pathctl hooks`.
  ///
  /// - Parameters:
  ///   - directory: The directory; `nil` for the usual one.
  ///   - limit: The time that a program may take; `nil` for the usual one.
  package init(directory: String?, limit: Duration?) {
    self.directory = directory.map { HookDirectory($0) } ?? HookDirectory()
    self.limit = limit ?? .seconds(90)
  }

  /// Runs the programs until a signal comes.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try HooksVerb(invocation, directory, limit: limit).follow()
  }
}

/// `pathctl hooks`: the programs of a directory for each update. A ``HookDispatch`` decides, and this class performs
/// its actions.
final class HooksVerb: ProgramVerb {
  private let directory: HookDirectory
  private var dispatch: HookDispatch
  private var timer: EventLoop.Timer?
  private var running = ""
  /// Whether a signal has asked this program to end.
  private var isEnding = false
  /// The problems that were reported at the last reading of the directory.
  private var problems: [String] = []

  init(_ invocation: Invocation, _ directory: HookDirectory, limit: Duration) throws(KernelPathError) {
    self.directory = directory
    dispatch = HookDispatch(limit: limit)
    try super.init(invocation)
    timer = loop.makeTimer { [unowned self] in self.perform(self.dispatch.timerFired()) }
  }

  /// A cost that the kernel alone does not know would look like "unmetered" to the programs.
  override func canDoWithoutService() -> Bool {
    complain("PATH_EXPENSIVE cannot be known without the service. Start pathmonitord, or say --direct.")
    end(ExitStatus.cannotKnow)
    return false
  }

  override func handle(_ path: NetworkPath) { perform(dispatch.handle(path)) }

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
      try start([Array(program.utf8CString)], adding: PathVariables.of(run.path, former: run.former))
    } catch {
      complain("the hook \(program) cannot be run: \(error.reason)")
      perform(dispatch.programEnded(at: .now))
    }
  }
}

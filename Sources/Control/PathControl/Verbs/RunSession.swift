internal import Glibc
internal import KernelPath
internal import PathModel
internal import Programs
internal import SystemIO

/// `pathctl run` while it runs. A ``CommandSupervision`` decides, and this class performs its actions.
final class RunSession: FollowingSession {
  private let verb: RunVerb
  private let family: ProgramFamily
  private let words: [[CChar]]
  private let terminal: ControllingTerminal?
  private var supervision: CommandSupervision
  private var timer: EventLoop.Timer?
  private var changeTimer: EventLoop.Timer?
  private var hasStarted = false
  private var latest = NetworkPath.unknown
  /// The latest path that was as required.
  private var usable = NetworkPath.unknown
  /// The way that the command has begun with, or was last told of.
  private var footing = PathFooting<MonotonicInstant>(.unknown)
  /// The changes of that way since.
  private var changes: PathChanges = []
  /// Whether the group held the terminal, and gets it back.
  private var hadTerminal = false
  private var hasComplainedOfSignals = false

  init(_ verb: RunVerb) throws(KernelPathError) {
    self.verb = verb
    words = OwnArguments.bytes(ofLast: verb.words)
    supervision = CommandSupervision(onLoss: verb.onLoss, onChange: verb.onChange, grace: verb.grace)
    family = try KernelPathError.translating { () throws(SystemError) in try ProgramFamily() }
    terminal = ControllingTerminal()
    try super.init(verb.invocation)
    timer = loop.makeTimer { [unowned self] in self.happened(.timerFired(isEmpty: self.family.isEmpty)) }
    changeTimer = loop.makeTimer { [unowned self] in
      if verb.requirement.gatingVerdict(on: self.latest) == .met { self.lookForChanges() }
    }
  }

  func run() throws(KernelPathError) -> Int32 {
    // Something remains here only if the event loop has failed, or if it cannot be killed.
    defer { try? family.sendToAll(SIGKILL) }
    endAfter(verb.timeout) { [unowned self] in self.timeIsUp() }
    // An ignored signal stays ignored, in this program and in the command: nohup(1).
    let passedOn = Self.endingSignals + [SIGQUIT, SIGUSR1, SIGUSR2] + (terminal == nil ? [] : [SIGTSTP])
    return try follow(signals: passedOn.filter { !SignalWatch.isIgnored($0) } + [SIGCHLD])
  }

  override var needOfService: String? { verb.requirement.needOfService }

  // MARK: What happens

  override func handle(_ path: NetworkPath) {
    let isFirst = latest.knowledge == .unknown
    latest = path
    if isFirst { NamedInterfaces.warn(of: verb.requirement, on: path, invocation, note) }
    let verdict = verb.requirement.gatingVerdict(on: path)
    if verdict == .met { usable = path }
    happened(.judged(verdict))
    if verdict == .met { lookForChanges() } else { footing.interrupt() }
    noteUndeterminedCost(verb.requirement, path)
    if !hasStarted, verb.timeout == .zero { timeIsUp() }
    if family.group == nil, !hasEnded { showWaiting(for: verb.requirement, path) }
  }

  private func lookForChanges() {
    let now = MonotonicInstant.now
    changes = footing.changes(to: usable, at: now).intersection(verb.changes)
    changeTimer?.set(footing.due(after: now))
    if !changes.isEmpty { happened(.changed) }
  }

  private func timeIsUp() {
    if hasEnded { return }
    note("the path has not become '\(verb.requirement)' in time, so the command was not started: \(latest)")
    happened(.pathsEnded(status: ExitStatus.timedOut))
  }

  override func pathsEnded(_ status: Int32) { happened(.pathsEnded(status: status)) }

  override func handle(signal: Int32) {
    switch signal {
    case SIGCHLD: lookAtChildren()
    case SIGTSTP: happened(.suspensionAsked)
    default: happened(.signalled(signal))
    }
  }

  private func lookAtChildren() {
    for change in family.collectChanges() {
      switch change {
      case .stopped(let signal): happened(.commandStopped(signal: signal, terminal: terminalPlace))
      case .ended(let ending):
        happened(.commandEnded(ending, isEmpty: family.isEmpty))
        return
      }
    }
    if family.group != nil { happened(.childEnded(isEmpty: family.isEmpty)) }
  }

  private var terminalPlace: CommandSupervision.TerminalPlace {
    guard let terminal else { return .nowhere }
    return terminal.isHeld(by: .own) ? .here : .elsewhere
  }

  // MARK: What is done

  private func happened(_ input: CommandSupervision.Input) {
    for action in supervision.handle(input, at: .now) { perform(action) }
  }

  private func perform(_ action: CommandSupervision.Action) {
    switch action {
    case .start: start()
    case .send(let signal): send { () throws(SystemError) in try family.send(signal) }
    case .sendToAll(let signal): send { () throws(SystemError) in try family.sendToAll(signal) }
    case .takeTerminal(let settings):
      if let group = family.group, let terminal, terminal.reclaim(from: group, settings) { hadTerminal = true }
    case .returnTerminal: if hadTerminal, let group = family.group { terminal?.give(to: group) }
    case .giveTerminal: if let group = family.group { terminal?.give(to: group) }
    case .suspend:
      ProcessGroup.suspendOwn()
      happened(.continued)
    case .wake(let moment): timer?.set(moment)
    case .tellLoss: tellLoss()
    case .tellChange: tellChange()
    case .lookForChanges(let moment): changeTimer?.set(moment)
    case .tellStuck: complain("the command was killed and does not end; it is not started again before it has ended")
    case .end(let status): end(status)
    }
  }

  private func start() {
    hadTerminal = false
    hasStarted = true
    footing = PathFooting(usable)
    cancelLimit()
    eraseWaiting()
    do throws(SystemError) {
      try family.start(Self.launcher + words, inForegroundOf: isInteractive ? terminal : nil)
    } catch {
      happened(.cannotStart(status: PathControl.complain(ofCommand: verb.words[0], error)))
    }
  }

  /// The words before the command if the sockets or the watchdog of a unit are meant for this process
  /// (sd_listen_fds(3), sd_watchdog_enabled(3)): a shell that names itself in their place, and becomes the command.
  private static let launcher: [[CChar]] = {
    let names = ["LISTEN_PID", "WATCHDOG_PID"].filter { Environment.value($0) == "\(getpid())" }
    if names.isEmpty { return [] }
    let script = "unset LISTEN_PIDFDID; \(names.map { "\($0)=$$; " }.joined())exec \"$@\""
    return ["/bin/sh", "-c", script, "sh"].map { Array($0.utf8CString) }
  }()

  /// Whether the command gets the terminal at once. In a pipeline another process, such as a pager, may need it: then
  /// the command gets the terminal when it asks.
  private var isInteractive: Bool {
    guard let terminal, terminal.isHeld(by: .own) else { return false }
    return Output.isTerminal(0) && Output.isTerminal(1)
  }

  private func send(_ send: () throws(SystemError) -> Void) {
    do throws(SystemError) {
      try send()
    } catch {
      if !hasComplainedOfSignals {
        complain("\(error.description). The command runs as another user, who has to end it.")
      }
      hasComplainedOfSignals = true
    }
  }

  private func tellChange() {
    footing.move(to: usable, at: .now)
    note("the command is \(verb.onChange.outcome), as there is \(changes.phrase): \(usable)")
  }

  private func tellLoss() {
    let outcome = verb.onLoss == .pause ? "paused" : "ended"
    note("the command is \(outcome), as the path is not '\(verb.requirement)' any more but \(latest)")
  }
}

extension PathControl {
  /// Reports why a command cannot be started, and returns the exit status for that.
  static func complain(ofCommand name: String, _ error: SystemError) -> Int32 {
    let isThere = name.contains("/") && Files.exists(name)
    if [ENOENT, ENOTDIR].contains(error.errorNumber), !isThere {
      complain("there is no command '\(name)'. Check the spelling, or write its path.")
      return ExitStatus.noSuchCommand
    }
    complain("the command '\(name)' \(obstacle(toRunning: error))")
    return ExitStatus.cannotRun
  }

  /// The reason why a program that is there cannot be run, as the end of a sentence.
  static func obstacle(toRunning error: SystemError) -> String {
    let advice =
      switch error.errorNumber {
      // The end of a line is part of the name there.
      case ENOENT, ENOTDIR: ". Check the program in its first line, and that its lines do not end with CR and LF."
      case EACCES: ". Is it an executable file?"
      case ENOEXEC: ". Does it lack a first line such as '#!/bin/sh'?"
      default: ""
      }
    return "cannot be run: \(error.reason)\(advice)"
  }
}

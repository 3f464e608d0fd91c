internal import Glibc
package import KernelPath
package import PathModel
package import Programs
internal import SystemIO

/// `pathctl run`: runs a command while the path is as required.
package struct RunVerb: Verb {
  package static let name = "run"
  package static let operands = [Placeholder.requirement]
  package static let takesCommand = true
  package static let summary = "Run a command while the path is as required"
  package static var ownOptions: [Option<RunVerb>] {
    [.timeout { $0.timeout = $1 }, lossReaction, graceTime, .quiet] + Option.forPrograms
  }
  package static let details = """
    Waits until the path is as required, and starts the command. When the path is lost and that has
    settled, --on-loss says what happens to the command and all that it has started:
      stop      it is ended with SIGTERM, and after the grace time with SIGKILL; it is started again
                when the path is back
      pause     it is stopped where it is with SIGSTOP, and continued when the path is back
      continue  nothing
    With --timeout, pathctl gives up with 124 if the path has not become as required in that time; once
    the command has been started, there is no limit. On a terminal a line says what is waited for.
    A path that cannot be known for a while, as when the service restarts, is not lost.
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on; after the first four the
    command is not started again. After SIGTERM it has the grace time to end, too. What it leaves
    behind, in the background or as a daemon, is ended as it would be itself. SIGKILL cannot be passed
    on: the command runs on alone, but the kernel ends a paused one with SIGHUP.
    The exit status is that of the command, or 128 and the number of the signal that ended it, or
    pathctl while it waited. In a unit of systemd, SuccessExitStatus=143 says that its stop is no
    failure.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.cannotRun, "the command cannot be run"), (ExitStatus.noSuchCommand, "there is none"),
    (ExitStatus.usage, "wrong usage"), (ExitStatus.cannotKnow, "the path cannot be known"),
    (ExitStatus.timedOut, "the time is over, and the command was never started"),
  ]
  package static let examples = [
    (
      purpose: "Synchronise while that costs nothing; stop the transfer where it is when the path is lost",
      lines: "pathctl run unmetered --on-loss pause -- rclone sync photos: backup:"
    )
  ]

  private static var lossReaction: Option<RunVerb> {
    Option(
      "--on-loss", Placeholder("ACTION", .words(LossReaction.allCases.map(\.rawValue))), example: "pause",
      summary: "What to do when the path is lost: stop (the default), pause, continue"
    ) { (verb, value) throws(UsageError) in
      guard let reaction = LossReaction(rawValue: value.text) else {
        throw value.rejected(as: "action", because: "it is stop, pause or continue")
      }
      verb.onLoss = reaction
    }
  }
  private static var graceTime: Option<RunVerb> {
    Option(
      "--grace", .time, example: "30s",
      summary: "How long the command may take to end before it is killed; 5s by default"
    ) { (verb, value) throws(UsageError) in verb.grace = try value.time() }
  }

  package var invocation = Invocation()
  /// The requirement that the path meets while the command runs.
  package private(set) var requirement = PathRequirement.connected
  /// The reaction to a lost path.
  package private(set) var onLoss = LossReaction.stop
  /// The time that the command may take to end before it is killed.
  package private(set) var grace = Duration.seconds(5)
  /// How long to wait for the path before the first start; `nil` for as long as it takes.
  package private(set) var timeout: Duration?
  /// The command and its arguments; never empty.
  package private(set) var words: [String] = []

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    guard let program = command.first else {
      throw UsageError("COMMAND is missing behind '--'. Correct use: \(Self.usageLine)")
    }
    if program.isEmpty { throw UsageError("the command is empty. Write its name, or its path, behind '--'.") }
    requirement = try Self.requirement(operands[0])
    words = command
  }

  /// Runs the command; the exit status is that of the command.
  package func run() throws(KernelPathError) -> Int32 { try RunSession(self).run() }
}

/// `pathctl run` while it runs. A ``CommandSupervision`` decides, and this class performs its actions.
final class RunSession: FollowingSession {
  private let verb: RunVerb
  private let family: ProgramFamily
  private let words: [[CChar]]
  private let terminal: ControllingTerminal?
  private var supervision: CommandSupervision
  private var timer: EventLoop.Timer?
  private var hasStarted = false
  private var latest = NetworkPath.unknown
  /// Whether the group held the terminal, and gets it back.
  private var hadTerminal = false
  private var hasComplainedOfSignals = false

  init(_ verb: RunVerb) throws(KernelPathError) {
    self.verb = verb
    words = OwnArguments.bytes(ofLast: verb.words)
    supervision = CommandSupervision(onLoss: verb.onLoss, grace: verb.grace)
    family = try KernelPathError.translating { () throws(SystemError) in try ProgramFamily() }
    terminal = ControllingTerminal()
    try super.init(verb.invocation)
    timer = loop.makeTimer { [unowned self] in self.happened(.timerFired(isEmpty: self.family.isEmpty)) }
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
    happened(.judged(verb.requirement.gatingVerdict(on: path)))
    noteUndeterminedCost(verb.requirement, path)
    if !hasStarted, verb.timeout == .zero { timeIsUp() }
    if family.group == nil, !hasEnded { showWaiting(for: verb.requirement, path) }
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
    case .tellStuck: complain("the command was killed and does not end; it is not started again before it has ended")
    case .end(let status): end(status)
    }
  }

  private func start() {
    hadTerminal = false
    hasStarted = true
    cancelLimit()
    eraseWaiting()
    do throws(SystemError) {
      try family.start(words, inForegroundOf: isInteractive ? terminal : nil)
    } catch {
      happened(.cannotStart(status: PathControl.complain(ofCommand: verb.words[0], error)))
    }
  }

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

  private func tellLoss() {
    let outcome = verb.onLoss == .pause ? "paused" : "ended"
    note("the command is \(outcome), as the path is not '\(verb.requirement)' any more but \(latest)")
  }
}

extension PathControl {
  /// Reports why a command cannot be started, and returns the exit status for that.
  static func complain(ofCommand name: String, _ error: SystemError) -> Int32 {
    switch error.errorNumber {
    case ENOENT where name.contains("/") && Files.exists(name):
      complain("the command '\(name)' cannot be run: \(error.reason). Check the program in its first line.")
    case ENOENT, ENOTDIR:
      complain("there is no command '\(name)'. Check the spelling, or write its path.")
      return ExitStatus.noSuchCommand
    case EACCES: complain("the command '\(name)' cannot be run: \(error.reason). Is it an executable file?")
    case ENOEXEC:
      complain("the command '\(name)' cannot be run: \(error.reason). Does it lack a first line such as '#!/bin/sh'?")
    default: complain("the command '\(name)' cannot be run: \(error.reason)")
    }
    return ExitStatus.cannotRun
  }
}

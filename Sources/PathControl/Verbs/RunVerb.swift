internal import Glibc
internal import KernelPath
internal import PathModel
internal import SystemIO

/// `pathctl run`: a command that runs while the path is as required. What happens is told to a
/// ``CommandSupervision``, and what that decides is done here.
final class RunVerb: FollowingVerb {
  private let order: Invocation.Run
  private let launcher: ProgramLauncher
  private let words: [[CChar]]
  private let terminal: ControllingTerminal?
  private var supervision: CommandSupervision<MonotonicInstant>
  private var timer: EventLoop.Timer?
  private var latest = NetworkPath.unknown
  /// The group of the command, until it is empty.
  private var group: ProcessGroup?
  /// Whether the process that the group was started with has ended.
  private var hasCommandEnded = false
  /// Whether the group had the terminal, and is to have it again.
  private var hadTerminal = false
  private var hasComplainedOfSignals = false

  init(_ invocation: Invocation, _ order: Invocation.Run) throws(KernelPathError) {
    self.order = order
    words = OwnArguments.bytes(ofLast: order.words)
    supervision = CommandSupervision(onLoss: order.onLoss, grace: order.grace)
    launcher = try KernelPathError.translating { () throws(SystemError) in
      try ChildProcesses.adoptOrphans()
      return try ProgramLauncher()
    }
    terminal = ControllingTerminal()
    try super.init(invocation)
    timer = loop.makeTimer { [unowned self] in self.timerFired() }
  }

  func run() throws(KernelPathError) -> Int32 {
    // Only where the loop itself fails is anything left.
    defer { if let group { try? group.send(SIGKILL) } }
    // What is ignored stays ignored, as for the command: nohup(1).
    let passedOn = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2] + (terminal == nil ? [] : [SIGTSTP])
    return try follow(signals: passedOn.filter { !SignalWatch.isIgnored($0) } + [SIGCHLD])
  }

  override func canDoWithoutService() -> Bool { canJudgeWithoutService(order.requirement) }

  // MARK: What happens

  override func take(_ path: NetworkPath) {
    latest = path
    happened(.judged(order.requirement.verdict(on: path)))
  }

  override func pathsEnded(_ status: Int32) { happened(.pathsEnded(status: status)) }

  override func take(signal: Int32) {
    switch signal {
    case SIGCHLD: lookAtChildren()
    case SIGTSTP: happened(.suspensionAsked)
    default: happened(.signalled(signal))
    }
  }

  private func lookAtChildren() {
    // All that have ended are reaped before the group is looked at: until then they are its members.
    let changes = ChildProcesses.takeChanges()
    guard let group else { return }
    if hasCommandEnded {
      if group.isEmpty { happened(.groupEmptied) }
      return
    }
    for (process, change) in changes where process == group.number {
      switch change {
      case .stopped(let signal): happened(.commandStopped(signal: signal, terminal: terminalPlace))
      case .ended(let ending):
        hasCommandEnded = true
        let isEmpty = group.isEmpty
        happened(.commandEnded(ending, isGroupEmpty: isEmpty))
      }
    }
  }

  private func timerFired() {
    // Members whose parents are outside of the group, and live, end without our being told.
    if hasCommandEnded, let group, group.isEmpty { happened(.groupEmptied) } else { happened(.timerFired) }
  }

  private var terminalPlace: CommandSupervision<MonotonicInstant>.TerminalPlace {
    guard let terminal else { return .nowhere }
    return terminal.isHeld(by: .own) ? .here : .elsewhere
  }

  // MARK: What is done

  private func happened(_ input: CommandSupervision<MonotonicInstant>.Input) {
    for action in supervision.take(input, at: .now) { perform(action) }
  }

  private func perform(_ action: CommandSupervision<MonotonicInstant>.Action) {
    switch action {
    case .start: start()
    case .send(let signal): send(signal)
    case .takeTerminal(let settings):
      if let group, let terminal, terminal.take(from: group, settings) { hadTerminal = true }
    case .returnTerminal: if hadTerminal, let group { terminal?.give(to: group) }
    case .giveTerminal: if let group { terminal?.give(to: group) }
    case .suspend:
      ProcessGroup.suspendOwn()
      happened(.continued)
    case .wake(let moment): timer?.set(moment)
    case .tellLoss: tellLoss()
    case .end(let status):
      group = nil
      end(status)
    }
  }

  private func start() {
    hadTerminal = false
    hasCommandEnded = false
    do throws(SystemError) {
      group = try launcher.start(words, inForegroundOf: isInteractive ? terminal : nil)
    } catch {
      group = nil
      happened(.cannotStart(status: PathControl.complain(ofCommand: order.words[0], error)))
    }
  }

  /// Whether the command gets the terminal at once. In a pipeline others of our group may want it, such as a pager:
  /// then the command gets it when it asks.
  private var isInteractive: Bool {
    guard let terminal, terminal.isHeld(by: .own) else { return false }
    return Output.isTerminal(0) && Output.isTerminal(1)
  }

  private func send(_ signal: Int32) {
    do throws(SystemError) {
      try group?.send(signal)
    } catch {
      if !hasComplainedOfSignals {
        PathControl.complain("\(error.description). The command runs as another user, who has to end it.")
      }
      hasComplainedOfSignals = true
    }
  }

  private func tellLoss() {
    let fate = order.onLoss == .pause ? "paused" : "ended"
    PathControl.complain("the command is \(fate), as the path is not '\(order.requirement)' any more but \(latest)")
  }
}

extension PathControl {
  /// Tells why a command cannot be started, and returns the exit status that says so.
  static func complain(ofCommand name: String, _ error: SystemError) -> Int32 {
    switch error.errorNumber {
    case ENOENT where name.contains("/") && Files.exists(name):
      complain("the command '\(name)' cannot be run: \(error.reason). Is there what its first line names?")
    case ENOENT, ENOTDIR:
      complain("there is no command '\(name)'. Check the spelling, or write its path.")
      return ExitStatus.noSuchCommand
    case EACCES: complain("the command '\(name)' cannot be run: \(error.reason). Is it an executable file?")
    case ENOEXEC:
      complain("the command '\(name)' cannot be run: \(error.reason). Does a line such as '#!/bin/sh' lack?")
    default: complain("the command '\(name)' cannot be run: \(error.reason)")
    }
    return ExitStatus.cannotRun
  }
}

internal import Glibc
package import PathModel
package import SystemIO

/// What becomes of the command of `pathctl run`: a decision for each thing that happens, without doing any of it.
///
/// The command is a process group. Signals go to all of it, and when the process that it was started with has ended,
/// what is left of it is ended too before anything else happens.
package struct CommandSupervision<Instant: InstantProtocol & Sendable>: Sendable where Instant.Duration == Duration {
  /// What is to be done, in this order.
  package enum Action: Hashable, Sendable {
    /// Start the command.
    case start
    /// Send the signal to the group.
    case send(Int32)
    /// Take the terminal from the group, if it has it.
    case takeTerminal(ControllingTerminal.Settings)
    /// Give the terminal to the group, if it had it before.
    case returnTerminal
    /// Give the terminal to the group.
    case giveTerminal
    /// Stop this program as Ctrl-Z does, and say ``Input/continued`` when it goes on.
    case suspend
    /// Say ``Input/timerFired`` at the moment; `nil` for never.
    case wake(at: Instant?)
    /// Tell the user that the path is lost.
    case tellLoss
    /// End with the exit status.
    case end(status: Int32)
  }

  /// What has happened.
  package enum Input: Hashable, Sendable {
    /// The path has changed; is it as required?
    case judged(PathRequirement.Verdict)
    /// There will be no more paths; with the exit status that says why.
    case pathsEnded(status: Int32)
    /// We were sent a signal.
    case signalled(Int32)
    /// We were sent SIGTSTP.
    case suspensionAsked
    /// We go on after ``Action/suspend``.
    case continued
    /// The command could not be started; with the exit status that says why.
    case cannotStart(status: Int32)
    /// The command was stopped by a signal, and where the terminal is now.
    case commandStopped(signal: Int32, terminal: TerminalPlace)
    /// The command has ended.
    case commandEnded(ChildProcesses.Ending, isGroupEmpty: Bool)
    /// The command has ended, and now all of its group.
    case groupEmptied
    /// The moment of ``Action/wake(at:)`` has come.
    case timerFired
  }

  /// Where the terminal is.
  package enum TerminalPlace: Hashable, Sendable {
    /// There is none.
    case nowhere
    /// We are in the foreground.
    case here
    /// The command is, or somebody else.
    case elsewhere
  }

  private enum Phase: Hashable {
    /// Nothing runs.
    case waiting
    case running(isPaused: Bool)
    /// The command has been told to end.
    case ending
    /// The command has ended, what it left behind has not; then the command is started again, or we end.
    case clearing(ChildProcesses.Ending, isRestart: Bool)
    case over
  }

  private let reaction: LossReaction
  private let grace: Duration
  private var phase = Phase.waiting
  /// Whether the path was as required when that was last known.
  private var isMet = false
  /// Whether the command is to be started, or started again.
  private var isWanted = true
  /// Whether the group was sent SIGKILL.
  private var isKilled = false
  /// Whether that was for what the command left behind, which has only a moment left to be gone.
  private var isLastMoment = false
  /// What to end with instead of the command's own status, when it was ended because the paths ended.
  private var failure: Int32?

  /// How long is waited for what has been killed, and yet not gone: it waits for the kernel, or belongs to others.
  package static var patienceAfterKilling: Duration { .seconds(1) }

  /// The supervision of a command that does not run yet.
  ///
  /// - Parameters:
  ///   - reaction: What a lost path means for the command.
  ///   - grace: How long it may take to end when it is told to.
  package init(onLoss reaction: LossReaction, grace: Duration) {
    self.reaction = reaction
    self.grace = grace
  }

  /// What is to be done now that this has happened.
  package mutating func take(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .judged(.met): return becomeMet()
    case .judged(.notMet): return becomeUnmet(at: now)
    // Our own ignorance is no loss.
    case .judged(.unknown): return []
    case .pathsEnded(let status): return endPaths(status, at: now)
    case .signalled(let signal): return forward(signal)
    case .suspensionAsked: return suspend()
    case .continued: return phase == .running(isPaused: false) ? [.returnTerminal, .send(SIGCONT)] : []
    case .cannotStart(let status): return end(status)
    case .commandStopped(let signal, let terminal): return followStop(by: signal, terminal)
    case .commandEnded(let ending, let isGroupEmpty): return clear(after: ending, isGroupEmpty, at: now)
    case .groupEmptied: return finish()
    case .timerFired: return kill(at: now)
    }
  }

  // MARK: The path

  private mutating func becomeMet() -> [Action] {
    isMet = true
    switch phase {
    case .waiting: return start()
    case .running(isPaused: true):
      phase = .running(isPaused: false)
      return [.returnTerminal, .send(SIGCONT)]
    case .running, .ending, .clearing, .over: return []
    }
  }

  private mutating func becomeUnmet(at now: Instant) -> [Action] {
    // Only the loss counts: one path that is not as required after another is nothing new.
    guard isMet else { return [] }
    isMet = false
    guard phase == .running(isPaused: false) else { return [] }
    switch reaction {
    case .continue: return []
    case .pause:
      phase = .running(isPaused: true)
      return [.tellLoss, .send(SIGSTOP), .takeTerminal(.exchange)]
    case .stop: return [.tellLoss] + tellToEnd(at: now)
    }
  }

  private mutating func endPaths(_ status: Int32, at now: Instant) -> [Action] {
    isWanted = false
    switch phase {
    case .waiting: return end(status)
    // It has all it needs: that nobody watches its path any more is no reason to end it.
    case .running(isPaused: false): return []
    case .running(isPaused: true):
      failure = status
      return [.returnTerminal] + tellToEnd(at: now)
    case .ending, .clearing(_, isRestart: true):
      failure = status
      return []
    case .clearing, .over: return []
    }
  }

  // MARK: Signals

  /// The signals that are for the whole of us: the command is not started again after them.
  private static var endingSignals: Set<Int32> { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  private mutating func forward(_ signal: Int32) -> [Action] {
    guard Self.endingSignals.contains(signal) else {
      return phase == .waiting || phase == .over ? [] : [.send(signal)]
    }
    isWanted = false
    switch phase {
    case .waiting: return end(ExitStatus.signal(signal))
    case .running(let isPaused):
      phase = .running(isPaused: false)
      // What is stopped acts on no signal until it is continued; then the one that waits comes first.
      return [.send(signal)] + (isPaused ? [.returnTerminal] : []) + [.send(SIGCONT)]
    case .ending, .clearing: return [.send(signal)]
    case .over: return []
    }
  }

  private func suspend() -> [Action] {
    switch phase {
    // Its being stopped is what suspends us.
    case .running(isPaused: false): [.send(SIGTSTP)]
    case .over: []
    case .waiting, .running, .ending, .clearing: [.suspend]
    }
  }

  private func followStop(by signal: Int32, _ terminal: TerminalPlace) -> [Action] {
    guard phase == .running(isPaused: false), terminal != .nowhere else { return [] }
    // It wants the terminal, and can have it.
    if signal == SIGTTIN || signal == SIGTTOU, terminal == .here { return [.giveTerminal, .send(SIGCONT)] }
    return [.takeTerminal(.keep), .suspend]
  }

  // MARK: Start and end

  private mutating func start() -> [Action] {
    phase = .running(isPaused: false)
    isKilled = false
    return [.start]
  }

  private mutating func tellToEnd(at now: Instant) -> [Action] {
    phase = .ending
    return [.send(SIGTERM), .send(SIGCONT), .wake(at: now.advanced(by: grace))]
  }

  private mutating func clear(
    after ending: ChildProcesses.Ending, _ isGroupEmpty: Bool, at now: Instant
  ) -> [Action] {
    let wasToldToEnd = phase == .ending
    // A user who types Ctrl-C at a command that is ending anyway means all of it.
    let isRestart = wasToldToEnd && ending != .killed(signal: SIGINT) && ending != .killed(signal: SIGQUIT)
    phase = .clearing(ending, isRestart: isRestart)
    var settings = ControllingTerminal.Settings.keep
    // It had no chance to tidy up.
    if case .killed = ending { settings = .restore }
    if isGroupEmpty { return [.takeTerminal(settings)] + finish() }
    if isKilled { return [.takeTerminal(settings)] + kill(at: now) }
    if wasToldToEnd { return [.takeTerminal(settings)] }
    return [
      .takeTerminal(settings), .send(SIGTERM), .send(SIGCONT), .wake(at: now.advanced(by: grace)),
    ]
  }

  private mutating func kill(at now: Instant) -> [Action] {
    switch phase {
    case .ending:
      isKilled = true
      return [.send(SIGKILL)]
    case .clearing where isLastMoment: return finish()
    case .clearing:
      isKilled = true
      isLastMoment = true
      return [.send(SIGKILL), .wake(at: now.advanced(by: Self.patienceAfterKilling))]
    case .waiting, .running, .over: return []
    }
  }

  private mutating func finish() -> [Action] {
    guard case .clearing(let ending, let isRestart) = phase else { return [] }
    isLastMoment = false
    guard isRestart, isWanted else { return [.wake(at: nil)] + end(failure ?? ending.status) }
    phase = .waiting
    return [.wake(at: nil)] + (isMet ? start() : [])
  }

  private mutating func end(_ status: Int32) -> [Action] {
    phase = .over
    return [.end(status: status)]
  }
}

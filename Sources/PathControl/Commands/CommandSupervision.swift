internal import Glibc
package import PathModel
package import SystemIO

/// Decides what happens to the command of `pathctl run`. Each input returns actions, and the caller performs them.
///
/// The command is a process group, and every signal goes to the whole group. When the first process has ended, the rest
/// of the group is ended too, before the command is started again or `pathctl` ends.
package struct CommandSupervision: Sendable {
  /// An action for the caller. The actions of a list are performed in order.
  package enum Action: Hashable, Sendable {
    /// Start the command.
    case start
    /// Send the signal to the group.
    case send(Int32)
    /// Take the terminal from the group if the group holds it.
    case takeTerminal(ControllingTerminal.Settings)
    /// Give the terminal to the group if the group held it before.
    case returnTerminal
    /// Give the terminal to the group.
    case giveTerminal
    /// Stop this program as Ctrl-Z does, and pass ``Input/continued`` when it runs again.
    case suspend
    /// Pass ``Input/timerFired`` at the moment; `nil` cancels the timer.
    case wake(at: MonotonicInstant?)
    /// Report to the user that the path is lost.
    case tellLoss
    /// End with the exit status.
    case end(status: Int32)
  }

  /// An event that the supervision reacts to.
  package enum Input: Hashable, Sendable {
    /// The path has changed; the verdict says whether it meets the requirement.
    case judged(PathRequirement.Verdict)
    /// No more paths will come; the exit status gives the reason.
    case pathsEnded(status: Int32)
    /// This program has received a signal.
    case signalled(Int32)
    /// This program has received SIGTSTP.
    case suspensionAsked
    /// This program runs again after ``Action/suspend``.
    case continued
    /// The command could not be started; the exit status gives the reason.
    case cannotStart(status: Int32)
    /// A signal has stopped the command; `terminal` is the place of the terminal at that moment.
    case commandStopped(signal: Int32, terminal: TerminalPlace)
    /// The first process of the command has ended.
    case commandEnded(ChildProcesses.Ending, isGroupEmpty: Bool)
    /// The last process of the group has ended.
    case groupEmptied
    /// The moment of ``Action/wake(at:)`` has come.
    case timerFired
  }

  /// The place of the terminal.
  package enum TerminalPlace: Hashable, Sendable {
    /// This program has no terminal.
    case nowhere
    /// This program is in the foreground.
    case here
    /// The command or another program is in the foreground.
    case elsewhere
  }

  private enum Phase: Hashable {
    /// Nothing runs.
    case waiting
    case running(isPaused: Bool)
    /// The command was sent SIGTERM and has not ended yet.
    case ending
    /// The command has ended, but its group is not empty yet. Then the command is started again, or `pathctl` ends.
    case clearing(ChildProcesses.Ending, isRestart: Bool)
    case over
  }

  private let reaction: LossReaction
  private let grace: Duration
  private var phase = Phase.waiting
  /// Whether the path met the requirement when that was last known.
  private var isMet = false
  /// Whether the command is to be started, or started again.
  private var isWanted = true
  /// Whether the group was sent SIGKILL.
  private var isKilled = false
  /// Whether SIGKILL was for the processes that the command left behind. They have ``patienceAfterKilling`` to
  /// disappear.
  private var isLastMoment = false
  /// The exit status in place of the command's own, if the command was ended because no more paths come.
  private var failure: Int32?

  /// The longest wait for processes after SIGKILL. A process can remain: it waits inside the kernel, or belongs to
  /// another user.
  package static var patienceAfterKilling: Duration { .seconds(1) }

  /// The supervision of a command that does not run yet.
  ///
  /// - Parameters:
  ///   - reaction: The reaction to a lost path.
  ///   - grace: The time that the command may take to end before it is killed.
  package init(onLoss reaction: LossReaction, grace: Duration) {
    self.reaction = reaction
    self.grace = grace
  }

  /// Returns the actions that an input leads to.
  package mutating func handle(_ input: Input, at now: MonotonicInstant) -> [Action] {
    switch input {
    case .judged(.met): return becomeMet()
    case .judged(.notMet): return becomeUnmet(at: now)
    // An unknown path is not a lost path.
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

  private mutating func becomeUnmet(at now: MonotonicInstant) -> [Action] {
    // Only an unmet path after a met one is a loss. Further unmet paths change nothing.
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

  private mutating func endPaths(_ status: Int32, at now: MonotonicInstant) -> [Action] {
    isWanted = false
    switch phase {
    case .waiting: return end(status)
    // The command runs: the end of the paths is no reason to end it.
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

  /// The signals that end `pathctl` too: the command is not started again after them.
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
      // A stopped process handles no signal before it is continued; then the pending signal comes first.
      return [.send(signal)] + (isPaused ? [.returnTerminal] : []) + [.send(SIGCONT)]
    case .ending, .clearing: return [.send(signal)]
    case .over: return []
    }
  }

  private func suspend() -> [Action] {
    switch phase {
    // The stop of the command comes back as an input, which then suspends this program.
    case .running(isPaused: false): [.send(SIGTSTP)]
    case .over: []
    case .waiting, .running, .ending, .clearing: [.suspend]
    }
  }

  private func followStop(by signal: Int32, _ terminal: TerminalPlace) -> [Action] {
    guard phase == .running(isPaused: false), terminal != .nowhere else { return [] }
    // The command waits for the terminal, and this program can give it.
    if signal == SIGTTIN || signal == SIGTTOU, terminal == .here { return [.giveTerminal, .send(SIGCONT)] }
    return [.takeTerminal(.keep), .suspend]
  }

  // MARK: Start and end

  private mutating func start() -> [Action] {
    phase = .running(isPaused: false)
    isKilled = false
    return [.start]
  }

  private mutating func tellToEnd(at now: MonotonicInstant) -> [Action] {
    phase = .ending
    return [.send(SIGTERM), .send(SIGCONT), .wake(at: now.advanced(by: grace))]
  }

  private mutating func clear(
    after ending: ChildProcesses.Ending, _ isGroupEmpty: Bool, at now: MonotonicInstant
  ) -> [Action] {
    let wasToldToEnd = phase == .ending
    // A user who types Ctrl-C while the command is ending wants to end `pathctl` too.
    let isRestart = wasToldToEnd && ending != .killed(signal: SIGINT) && ending != .killed(signal: SIGQUIT)
    phase = .clearing(ending, isRestart: isRestart)
    var settings = ControllingTerminal.Settings.keep
    // A killed command had no chance to restore the terminal.
    if case .killed = ending { settings = .restore }
    if isGroupEmpty { return [.takeTerminal(settings)] + finish() }
    if isKilled { return [.takeTerminal(settings)] + kill(at: now) }
    if wasToldToEnd { return [.takeTerminal(settings)] }
    return [
      .takeTerminal(settings), .send(SIGTERM), .send(SIGCONT), .wake(at: now.advanced(by: grace)),
    ]
  }

  private mutating func kill(at now: MonotonicInstant) -> [Action] {
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

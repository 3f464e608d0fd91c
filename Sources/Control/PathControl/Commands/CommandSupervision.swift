internal import Glibc
package import PathModel
internal import Programs
package import SystemIO

/// Decides what happens to the command of `pathctl run`. Each input returns actions, and the caller performs them.
///
/// A signal that is meant for the command goes to its process group. Stopping, continuing and ending concern all that
/// the command has started. When its first process has ended, the rest is ended too (``ProgramEnding``), before the
/// command is started again or `pathctl` ends.
package struct CommandSupervision: Sendable {
  /// An action for the caller. The actions of a list are performed in order.
  package enum Action: Hashable, Sendable {
    /// Start the command.
    case start
    /// Send the signal to the group.
    case send(Int32)
    /// Send the signal to all that the command has started.
    case sendToAll(Int32)
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
    /// Report to the user that the path leads another way, and take that way for the command's from now on.
    case tellChange
    /// Look at the moment whether the path leads another way, and pass ``Input/changed`` if it does.
    case lookForChanges(at: MonotonicInstant)
    /// Report to the user that the command was killed and does not end.
    case tellStuck
    /// End with the exit status.
    case end(status: Int32)
  }

  /// An event that the supervision reacts to.
  package enum Input: Hashable, Sendable {
    /// The path has changed; the verdict says whether it meets the requirement.
    case judged(PathRequirement.Verdict)
    /// The path is as required, and leads another way than the command has begun with, or was last told of.
    case changed
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
    /// The first process of the command has ended; `isEmpty` says whether nothing remains of it.
    case commandEnded(ChildProcesses.Ending, isEmpty: Bool)
    /// Another process that the command has started has ended.
    case childEnded(isEmpty: Bool)
    /// The moment of ``Action/wake(at:)`` has come.
    case timerFired(isEmpty: Bool)
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
    /// The command has ended, but something remains of it. Then the command is started again, or `pathctl` ends.
    case clearing(ChildProcesses.Ending, isRestart: Bool)
    case over
  }

  private let reaction: LossReaction
  private let changeReaction: ChangeReaction
  private let grace: Duration
  private var phase = Phase.waiting
  /// Whether the path met the requirement when that was last known.
  private var isMet = false
  /// Whether the command is to be started, or started again.
  private var isWanted = true
  /// The pauses between reactions to changes, and the moment before which there is no further one.
  private var changePauses = RetryPauses(longest: Self.longestPause)
  private var nextChange: MonotonicInstant?
  /// How the present command ends.
  private var programEnding: ProgramEnding
  /// The exit status in place of the command's own, if the command was ended because no more paths come.
  private var failure: Int32?

  /// The supervision of a command that does not run yet.
  ///
  /// - Parameters:
  ///   - reaction: The reaction to a lost path.
  ///   - changeReaction: The reaction to a path that leads another way.
  ///   - grace: The time that the command may take to end before it is killed.
  package init(onLoss reaction: LossReaction, onChange changeReaction: ChangeReaction, grace: Duration) {
    self.reaction = reaction
    self.changeReaction = changeReaction
    self.grace = grace
    programEnding = ProgramEnding(grace: grace)
  }

  /// Returns the actions that an input leads to.
  package mutating func handle(_ input: Input, at now: MonotonicInstant) -> [Action] {
    switch input {
    case .judged(.met): return becomeMet()
    case .judged(.notMet): return becomeUnmet(at: now)
    // An unknown path is not a lost path.
    case .judged(.unknown): return []
    case .changed: return becomeChanged(at: now)
    case .pathsEnded(let status): return endPaths(status, at: now)
    case .signalled(let signal): return forward(signal, at: now)
    case .suspensionAsked: return suspend()
    case .continued: return phase == .running(isPaused: false) ? [.returnTerminal, .send(SIGCONT)] : []
    case .cannotStart(let status): return end(status)
    case .commandStopped(let signal, let terminal): return followStop(by: signal, terminal)
    case .commandEnded(let ending, let isEmpty): return clear(after: ending, isEmpty, at: now)
    case .childEnded(let isEmpty): return obey(programEnding.childEnded(isEmpty: isEmpty))
    case .timerFired(let isEmpty): return obey(programEnding.timerFired(isEmpty: isEmpty, at: now))
    }
  }

  // MARK: The path

  private mutating func becomeMet() -> [Action] {
    isMet = true
    switch phase {
    case .waiting: return start()
    case .running(isPaused: true):
      phase = .running(isPaused: false)
      return [.returnTerminal, .sendToAll(SIGCONT)]
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
      return [.sendToAll(SIGSTOP), .takeTerminal(.exchange), .tellLoss]
    case .stop: return tellToEnd(isFinal: false, at: now) + [.tellLoss]
    }
  }

  /// The longest pause between two reactions to changes. After as long a time without one, the pauses begin anew.
  private static let longestPause = Duration.seconds(60)

  private mutating func becomeChanged(at now: MonotonicInstant) -> [Action] {
    // A command that is started later begins with the new way. One that was asked to end is left to that.
    guard isWanted, phase == .running(isPaused: false), changeReaction != .ignore else { return [] }
    if let nextChange {
      // A path that alternates would have the command log in again at each turn.
      if now < nextChange { return [.lookForChanges(at: nextChange)] }
      if nextChange.advanced(by: Self.longestPause) <= now { changePauses.reset() }
    }
    nextChange = now.advanced(by: changePauses.next())
    switch changeReaction {
    case .ignore: return []
    case .signal(let signal): return [.send(signal), .tellChange]
    case .restart: return tellToEnd(isFinal: false, at: now) + [.tellChange]
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
      return [.returnTerminal] + tellToEnd(isFinal: true, at: now)
    case .ending, .clearing(_, isRestart: true):
      failure = status
      return obey(programEnding.ask(with: nil, isFinal: true, at: now))
    case .clearing, .over: return []
    }
  }

  // MARK: Signals

  /// The signals that end `pathctl` too: the command is not started again after them.
  private static var endingSignals: Set<Int32> { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  private mutating func forward(_ signal: Int32, at now: MonotonicInstant) -> [Action] {
    guard Self.endingSignals.contains(signal) else {
      return phase == .waiting || phase == .over ? [] : [.send(signal)]
    }
    isWanted = false
    switch phase {
    case .waiting: return end(ExitStatus.signal(signal))
    case .running(let isPaused):
      if signal == SIGTERM { return (isPaused ? [.returnTerminal] : []) + tellToEnd(isFinal: true, at: now) }
      phase = .running(isPaused: false)
      // A stopped process handles no signal before it is continued; then the pending signal comes first.
      return [.send(signal)] + (isPaused ? [.returnTerminal, .sendToAll(SIGCONT)] : [.send(SIGCONT)])
    case .ending, .clearing: return [.send(signal)] + obey(programEnding.ask(with: nil, isFinal: true, at: now))
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
    programEnding = ProgramEnding(grace: grace)
    return [.start]
  }

  private mutating func tellToEnd(isFinal: Bool, at now: MonotonicInstant) -> [Action] {
    phase = .ending
    return obey(programEnding.ask(with: SIGTERM, isFinal: isFinal, at: now))
  }

  private mutating func clear(
    after ending: ChildProcesses.Ending, _ isEmpty: Bool, at now: MonotonicInstant
  ) -> [Action] {
    // A user who types Ctrl-C while the command is ending wants to end `pathctl` too.
    let isRestart = phase == .ending && ending != .killed(signal: SIGINT) && ending != .killed(signal: SIGQUIT)
    phase = .clearing(ending, isRestart: isRestart)
    var settings = ControllingTerminal.Settings.keep
    // A killed command had no chance to restore the terminal.
    if case .killed = ending { settings = .restore }
    return [.takeTerminal(settings)] + obey(programEnding.firstEnded(isEmpty: isEmpty, at: now))
  }

  private mutating func obey(_ actions: [ProgramEnding.Action]) -> [Action] {
    actions.flatMap { (action) -> [Action] in
      switch action {
      case .sendToAll(let signal): [.sendToAll(signal)]
      case .wake(let moment): [.wake(at: moment)]
      case .reportStuck: [.tellStuck]
      case .over: finish()
      }
    }
  }

  private mutating func finish() -> [Action] {
    switch phase {
    case .clearing(let ending, isRestart: false): return end(failure ?? ending.status)
    case .clearing(let ending, isRestart: true):
      if !isWanted { return end(failure ?? ending.status) }
      phase = .waiting
      return isMet ? start() : []
    // A command that cannot be killed has no status.
    case .ending: return end(failure ?? ExitStatus.signal(SIGTERM))
    case .waiting, .running, .over: return []
    }
  }

  private mutating func end(_ status: Int32) -> [Action] {
    phase = .over
    return [.end(status: status)]
  }
}

import Glibc
import PathControl
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// The tables have rules, each with events, their seconds and the expected actions.
@Suite("The command of run")
struct CommandSupervisionTests {
  typealias Input = CommandSupervision.Input
  typealias Action = CommandSupervision.Action
  typealias Row = (second: Double, input: Input, actions: [Action])
  typealias Rules = KeyValuePairs<String, [Row]>

  private static func check(
    onLoss reaction: LossReaction = .stop, onChange changeReaction: ChangeReaction = .restart, _ rows: [Row],
    at location: SourceLocation = #_sourceLocation
  ) {
    var supervision = CommandSupervision(onLoss: reaction, onChange: changeReaction, grace: .seconds(5))
    for (number, row) in rows.enumerated() {
      let actions = supervision.handle(row.input, at: MonotonicInstant(seconds: row.second))
      #expect(actions == row.actions, "row \(number): \(row.input)", sourceLocation: location)
    }
  }

  // MARK: Events and actions

  private static func exited(_ status: Int32, isEmpty: Bool = true) -> Input {
    .commandEnded(.exited(status), isEmpty: isEmpty)
  }
  private static func killed(by signal: Int32 = SIGTERM, isEmpty: Bool = true) -> Input {
    .commandEnded(.killed(signal: signal), isEmpty: isEmpty)
  }
  private static let timer = Input.timerFired(isEmpty: false)

  private static func wake(_ second: Double) -> Action { .wake(at: MonotonicInstant(seconds: second)) }
  private static let unset = Action.wake(at: nil)

  /// The request to end, with the grace time.
  private static func ask(until second: Double, _ more: Action...) -> [Action] {
    [.sendToAll(SIGTERM), .sendToAll(SIGCONT), wake(second)] + more
  }
  /// The end of the run after a command that left the terminal as it was, or not.
  private static func end(_ status: Int32, _ terminal: ControllingTerminal.Settings = .keep) -> [Action] {
    [.takeTerminal(terminal), unset, .end(status: status)]
  }

  private static let start: Row = (0, .judged(.met), [.start])
  private static let pause: Row = (1, .judged(.notMet), [.sendToAll(SIGSTOP), .takeTerminal(.exchange), .tellLoss])
  private static let resumed: Row = (2, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)])
  private static let stop: Row = (1, .judged(.notMet), ask(until: 6, .tellLoss))
  private static let restart: Row = (1, .changed, ask(until: 6, .tellChange))
  /// The end by force, after the grace time.
  private static let force: Row = (6, timer, [.sendToAll(SIGKILL), wake(7)])
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  @Test(arguments: Array(endings) + Array(losses) + Array(changes) + Array(signals))
  func `a command is stopped at a loss, and restarted at a change`(rule: String, rows: [Row]) { Self.check(rows) }

  @Test(arguments: Array(pauses))
  func `a command is paused at a loss`(rule: String, rows: [Row]) { Self.check(onLoss: .pause, rows) }

  static let endings: Rules = [
    "the command is started when the path is as required, and once only": [
      (0, .judged(.unknown), []), (1, .judged(.notMet), []), (2, .judged(.unknown), []), (3, .judged(.met), [.start]),
      (4, .judged(.met), []),
    ],
    "its exit status is ours": [start, (1, exited(77), end(77))],
    "a command that was killed ends us with 128 and the signal, and its terminal is tidied up": [
      start, (1, killed(by: SIGSEGV), end(139, .restore)),
    ],
    "a command that cannot be started ends us, the first time or later": [
      start, (0, .cannotStart(status: 127), [.end(status: 127)]), (1, .judged(.met), []),
    ],
    "remaining processes of the command are asked to end before we do": [
      start, (1, exited(3, isEmpty: false), [.takeTerminal(.keep)] + ask(until: 6)),
      (2, .childEnded(isEmpty: true), [unset, .end(status: 3)]),
    ],
    "remaining processes are killed after the grace time, whatever the path does": [
      start, (1, exited(3, isEmpty: false), [.takeTerminal(.keep)] + ask(until: 6)), (2, .judged(.notMet), []),
      (3, .judged(.met), []), force, (6.1, .childEnded(isEmpty: true), [unset, .end(status: 3)]),
    ],
    "a process that cannot be killed is waited for a second more, and no longer": [
      start, (1, exited(0, isEmpty: false), [.takeTerminal(.keep)] + ask(until: 6)), force,
      (7, timer, [.end(status: 0)]),
    ],
    "when the paths end a waiting run ends": [(0, .pathsEnded(status: 69), [.end(status: 69)])],
    "when the paths end a running command runs on to its own end": [
      start, (1, .pathsEnded(status: 69), []), (2, exited(4), end(4)),
    ],
    "when the paths end a command that is ending is not started again, and the status has the reason": [
      start, stop, (2, .pathsEnded(status: 69), []), (3, killed(), end(69, .restore)),
    ],
  ]

  static let losses: Rules = [
    "stop ends the command, and starts it again when the path is back": [
      start, stop, (2, .judged(.notMet), []), (3, killed(), [.takeTerminal(.restore), unset]),
      (9, .judged(.met), [.start]), (10, .judged(.unknown), []), (11, exited(0), end(0)),
    ],
    "a command that ignores the request is killed after the grace time": [
      start, stop, force, (6.1, killed(by: SIGKILL), [.takeTerminal(.restore), unset]), (7, .judged(.met), [.start]),
    ],
    "the group of a command that was killed is killed, too": [
      start, stop, force,
      (6.1, killed(by: SIGKILL, isEmpty: false), [.takeTerminal(.restore), .sendToAll(SIGKILL), wake(7.1)]),
      (6.2, .childEnded(isEmpty: true), [unset]),
    ],
    "the rest of a group has the rest of the grace time": [
      start, stop, (2, killed(isEmpty: false), [.takeTerminal(.restore)]), force,
      (6.1, .childEnded(isEmpty: true), [unset]), (7, .judged(.met), [.start]),
    ],
    "a path that is back before the command has ended starts it again at once": [
      start, stop, (2, .judged(.met), []), (3, exited(0), [.takeTerminal(.keep), unset, .start]),
    ],
    "a second run has its whole grace time, and does not count as killed": [
      start, stop, force, (7, killed(by: SIGKILL), [.takeTerminal(.restore), unset]), (8, .judged(.met), [.start]),
      (9, .judged(.notMet), ask(until: 14, .tellLoss)), (10, exited(0, isEmpty: false), [.takeTerminal(.keep)]),
      (14, timer, [.sendToAll(SIGKILL), wake(15)]), (14.1, .childEnded(isEmpty: true), [unset]),
    ],
    "a command that cannot be killed is not started a second time, and a signal ends us without it": [
      start, stop, force, (7, timer, [.tellStuck]), (8, .judged(.met), []),
      (9, .signalled(SIGTERM), [.send(SIGTERM), .end(status: 143)]),
    ],
    "a command that could not be killed is started again when it has ended": [
      start, stop, force, (7, timer, [.tellStuck]), (8, .judged(.met), []),
      (9, killed(by: SIGKILL), [.takeTerminal(.restore), unset, .start]),
    ],
  ]

  static let pauses: Rules = [
    "pause stops the command where it is, and continues it when the path is back": [
      start, pause, (2, .commandStopped(signal: SIGSTOP, terminal: .here), []), (3, .judged(.notMet), []),
      (4, .judged(.unknown), []), (5, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)]), pause,
    ],
    "a paused command is continued first, and then restarted": [
      start, pause, resumed, (2, .changed, ask(until: 7, .tellChange)),
    ],
    "when the paths end a paused command is ended for good, and the status has the reason": [
      start, pause, (2, .pathsEnded(status: 69), [.returnTerminal] + ask(until: 7)), (3, killed(), end(69, .restore)),
    ],
    "Ctrl-Z that reaches us stops the command first if it runs, and else us alone": [
      (0, .suspensionAsked, [.suspend]), (0, .continued, []), start, (1, .suspensionAsked, [.send(SIGTSTP)]),
      (1, .commandStopped(signal: SIGTSTP, terminal: .here), [.takeTerminal(.keep), .suspend]),
      (2, .continued, [.returnTerminal, .send(SIGCONT)]), pause, (3, .suspensionAsked, [.suspend]),
      (4, .continued, []), (5, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)]),
    ],
  ]

  @Test func `continue leaves the command alone, and the change after a loss is a restart`() {
    Self.check(
      onLoss: .continue, [Self.start, (1, .judged(.notMet), []), (2, .judged(.met), []), (3, .judged(.notMet), [])])
    Self.check(onLoss: .continue, [Self.start, (1, .judged(.notMet), []), (1, .judged(.met), []), Self.restart])
  }

  @Test(arguments: LossReaction.allCases)
  func `an unknown path is no loss, and no return`(reaction: LossReaction) {
    Self.check(onLoss: reaction, [Self.start, (1, .judged(.unknown), []), (2, .judged(.met), [])])
  }

  // MARK: Change

  static let changes: Rules = [
    "a change ends the command, and starts it again as soon as nothing of it remains": [
      start, restart, (2, killed(isEmpty: false), [.takeTerminal(.restore)]),
      (3, .childEnded(isEmpty: true), [unset, .start]), (4, exited(3), end(3)),
    ],
    "changes while the command ends are one restart": [
      start, restart, (2, .changed, []), (3, .judged(.met), []), (4, .changed, []), force, (6, .changed, []),
      (6.1, killed(by: SIGKILL), [.takeTerminal(.restore), unset, .start]),
      (8, .changed, ask(until: 13, .tellChange)),
    ],
    "a path that is lost during a restart is waited for": [
      start, restart, (2, .judged(.notMet), []), (3, killed(), [.takeTerminal(.restore), unset]),
      (4, .judged(.met), [.start]),
    ],
    "a loss that has ended the command is followed by one start, whatever has changed": [
      start, stop, (2, .judged(.met), []), (2, .changed, []), (3, killed(), [.takeTerminal(.restore), unset, .start]),
    ],
    "a change before the first start is none": [
      (0, .judged(.notMet), []), (1, .changed, []), (2, .judged(.met), [.start]),
    ],
  ]

  /// The seconds of the reactions to a path that leads another way at each quarter of a second.
  private static func reactions(
    for seconds: ClosedRange<Int>, _ supervision: inout CommandSupervision
  ) -> [Double] {
    stride(from: Double(seconds.lowerBound), through: Double(seconds.upperBound), by: 0.25).filter { second in
      let now = MonotonicInstant(seconds: second)
      let actions = supervision.handle(.changed, at: now)
      if actions.contains(.sendToAll(SIGTERM)) { _ = supervision.handle(killed(), at: now) }
      return actions.contains(.tellChange)
    }
  }

  @Test(arguments: [ChangeReaction.restart, .signal(SIGHUP)])
  func `a path that alternates has the command react after growing pauses`(reaction: ChangeReaction) {
    var supervision = CommandSupervision(onLoss: .continue, onChange: reaction, grace: .seconds(5))
    #expect(supervision.handle(.judged(.met), at: MonotonicInstant(seconds: 0)) == [.start])
    #expect(Self.reactions(for: 0...30, &supervision) == [0, 1, 3, 7, 15])
    #expect(Self.reactions(for: 31...220, &supervision) == [31, 63, 123, 183])
  }

  @Test func `a change during a pause is looked for at its end, and the pauses begin anew after a quiet minute`() {
    func reaction(_ second: Double) -> Row { (second, .changed, [.send(SIGHUP), .tellChange]) }
    func pause(_ second: Double, until end: Double) -> Row {
      (second, .changed, [.lookForChanges(at: MonotonicInstant(seconds: end))])
    }
    Self.check(
      onChange: .signal(SIGHUP),
      [
        Self.start, reaction(1), pause(1.5, until: 2), reaction(2), pause(2.5, until: 4), reaction(4),
        // The next pause lasts until second 8.
        reaction(68), pause(68.5, until: 69), reaction(69),
      ])
  }

  @Test func `a signal goes to the group of the command, and to nothing else`() {
    Self.check(
      onChange: .signal(SIGHUP),
      [
        Self.start, (1, .changed, [.send(SIGHUP), .tellChange]), (2, .changed, [.send(SIGHUP), .tellChange]),
        (3, .judged(.notMet), Self.ask(until: 8, .tellLoss)), (4, .judged(.met), []), (4, .changed, []),
      ])
    Self.check(
      onLoss: .pause, onChange: .signal(SIGUSR1),
      [Self.start, Self.pause, Self.resumed, (2, .changed, [.send(SIGUSR1), .tellChange])])
  }

  @Test func `ignore leaves the command alone`() {
    Self.check(onChange: .ignore, [Self.start, (1, .changed, [])])
  }

  // MARK: Signals

  static let signals: Rules = [
    "a command that SIGTERM ends has its own status": [
      start, (1, .signalled(SIGTERM), ask(until: 6)), (2, .judged(.notMet), []), (3, exited(9), end(9)),
    ],
    "a command that SIGTERM does not end is killed after the grace time": [
      start, (1, .signalled(SIGTERM), ask(until: 6)), (2, .signalled(SIGTERM), [.send(SIGTERM)]), force,
      (7, timer, [.end(status: 143)]),
    ],
    "a command that was stopped at the terminal stops us, and both go on together": [
      start, (1, .commandStopped(signal: SIGTSTP, terminal: .elsewhere), [.takeTerminal(.keep), .suspend]),
      (9, .continued, [.returnTerminal, .send(SIGCONT)]),
    ],
    "without a terminal a command that another process has stopped stays stopped": [
      start, (1, .commandStopped(signal: SIGSTOP, terminal: .nowhere), []),
    ],
  ]

  @Test(arguments: endingSignals)
  func `a signal while nothing runs ends us with its number`(signal: Int32) {
    Self.check([(0, .signalled(signal), [.end(status: 128 + signal)]), (1, .judged(.met), [])])
    Self.check([
      Self.start, Self.stop, (2, Self.killed(), [.takeTerminal(.restore), Self.unset]),
      (3, .signalled(signal), [.end(status: 128 + signal)]),
    ])
  }

  @Test(arguments: [SIGUSR1, SIGUSR2])
  func `a signal for the command alone is passed on, and has no effect while no command runs`(signal: Int32) {
    Self.check(
      onLoss: .pause,
      [
        (0, .signalled(signal), []), Self.start, (0, .signalled(signal), [.send(signal)]), Self.pause,
        (2, .signalled(signal), [.send(signal)]), (3, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)]),
      ])
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGQUIT])
  func `a signal is passed on, and the command decides what it does`(signal: Int32) {
    let signalled: Row = (0.5, .signalled(signal), [.send(signal), .send(SIGCONT)])
    Self.check([Self.start, signalled, Self.stop, (2, Self.exited(9), Self.end(9))])
    Self.check([Self.start, signalled, (1, .changed, [])])
    // A paused command is continued, so that it can act. It may take long, and is not paused again.
    Self.check(
      onLoss: .pause,
      [
        Self.start, Self.pause, (2, .signalled(signal), [.send(signal), .returnTerminal, .sendToAll(SIGCONT)]),
        (3, .judged(.notMet), []), (4, .judged(.met), []),
      ])
  }

  @Test(arguments: endingSignals)
  func `the command is not started again after a signal`(signal: Int32) {
    let asked: Row = (2, .signalled(signal), [.send(signal)])
    let ended: Row = (4, Self.killed(), Self.end(143, .restore))
    Self.check([Self.start, Self.stop, asked, (3, .judged(.met), []), ended])
    Self.check([Self.start, Self.restart, asked, ended])
  }

  @Test(arguments: [SIGINT, SIGQUIT])
  func `a key that ends a command which is ending anyway ends us too`(signal: Int32) {
    Self.check([Self.start, Self.stop, (2, Self.killed(by: signal), Self.end(128 + signal, .restore))])
  }

  @Test(arguments: [SIGTTIN, SIGTTOU])
  func `a command that asks for the terminal gets it from us, or waits with us in the background`(signal: Int32) {
    Self.check([
      Self.start, (1, .commandStopped(signal: signal, terminal: .here), [.giveTerminal, .send(SIGCONT)]),
      (2, .commandStopped(signal: signal, terminal: .elsewhere), [.takeTerminal(.keep), .suspend]),
    ])
  }
}

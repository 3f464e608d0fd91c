import Glibc
import PathControl
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// Each test is a table of events with their seconds and the expected actions.
@Suite("The command of run")
struct CommandSupervisionTests {
  private typealias Row = (second: Double, input: CommandSupervision.Input, actions: [CommandSupervision.Action])

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

  private static func wake(_ second: Double) -> CommandSupervision.Action {
    .wake(at: MonotonicInstant(seconds: second))
  }

  private static let start: Row = (0, .judged(.met), [.start])
  private static let pause: Row = (1, .judged(.notMet), [.sendToAll(SIGSTOP), .takeTerminal(.exchange), .tellLoss])
  private static let stop: Row = (1, .judged(.notMet), [.sendToAll(SIGTERM), .sendToAll(SIGCONT), wake(6), .tellLoss])
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  // MARK: Start and own end

  @Test func `the command is started when the path is as required, and once only`() {
    Self.check([
      (0, .judged(.unknown), []), (1, .judged(.notMet), []), (2, .judged(.unknown), []), (3, .judged(.met), [.start]),
      (4, .judged(.met), []),
    ])
  }

  @Test(arguments: [0, 1, 77] as [Int32])
  func `its exit status is ours`(status: Int32) {
    Self.check([
      Self.start,
      (
        1, .commandEnded(.exited(status), isEmpty: true),
        [.takeTerminal(.keep), .wake(at: nil), .end(status: status)]
      ),
    ])
  }

  @Test func `a command that was killed ends us with 128 and the signal, and its terminal is tidied up`() {
    Self.check([
      Self.start,
      (
        1, .commandEnded(.killed(signal: SIGSEGV), isEmpty: true),
        [.takeTerminal(.restore), .wake(at: nil), .end(status: 139)]
      ),
    ])
  }

  @Test func `a command that cannot be started ends us, the first time or later`() {
    Self.check([Self.start, (0, .cannotStart(status: 127), [.end(status: 127)]), (1, .judged(.met), [])])
  }

  @Test func `remaining processes of the command are ended before we are, by force after the grace time`() {
    let ended: Row = (
      1, .commandEnded(.exited(3), isEmpty: false),
      [.takeTerminal(.keep), .sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(6)]
    )
    Self.check([Self.start, ended, (2, .childEnded(isEmpty: true), [.wake(at: nil), .end(status: 3)])])
    Self.check([
      Self.start, ended, (2, .judged(.notMet), []), (3, .judged(.met), []),
      (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (6.1, .childEnded(isEmpty: true), [.wake(at: nil), .end(status: 3)]),
    ])
  }

  @Test func `a process that cannot be killed is waited for a second more, and no longer`() {
    Self.check([
      Self.start,
      (
        1, .commandEnded(.exited(0), isEmpty: false),
        [.takeTerminal(.keep), .sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(6)]
      ),
      (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (7, .timerFired(isEmpty: false), [.end(status: 0)]),
    ])
  }

  // MARK: Loss

  @Test func `stop ends the command, and starts it again when the path is back`() {
    Self.check([
      Self.start, Self.stop, (2, .judged(.notMet), []),
      (3, .commandEnded(.killed(signal: SIGTERM), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil)]),
      (9, .judged(.met), [.start]), (10, .judged(.unknown), []),
      (11, .commandEnded(.exited(0), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .end(status: 0)]),
    ])
  }

  @Test func `a command that ignores the request is killed after the grace time, with all of its group`() {
    Self.check([
      Self.start, Self.stop, (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (6.1, .commandEnded(.killed(signal: SIGKILL), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil)]),
      (7, .judged(.met), [.start]),
    ])
    Self.check([
      Self.start, Self.stop, (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (
        6.1, .commandEnded(.killed(signal: SIGKILL), isEmpty: false),
        [.takeTerminal(.restore), .sendToAll(SIGKILL), Self.wake(7.1)]
      ),
      (6.2, .childEnded(isEmpty: true), [.wake(at: nil)]),
    ])
  }

  @Test func `the rest of a group has the rest of the grace time`() {
    Self.check([
      Self.start, Self.stop,
      (2, .commandEnded(.killed(signal: SIGTERM), isEmpty: false), [.takeTerminal(.restore)]),
      (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (6.1, .childEnded(isEmpty: true), [.wake(at: nil)]),
      (7, .judged(.met), [.start]),
    ])
  }

  @Test func `a path that is back before the command has ended starts it again at once`() {
    Self.check([
      Self.start, Self.stop, (2, .judged(.met), []),
      (3, .commandEnded(.exited(0), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .start]),
    ])
  }

  @Test func `a second run has its whole grace time, and does not count as killed`() {
    Self.check([
      Self.start, Self.stop, (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (7, .commandEnded(.killed(signal: SIGKILL), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil)]),
      (8, .judged(.met), [.start]),
      (9, .judged(.notMet), [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(14), .tellLoss]),
      (10, .commandEnded(.exited(0), isEmpty: false), [.takeTerminal(.keep)]),
      (14, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(15)]),
      (14.1, .childEnded(isEmpty: true), [.wake(at: nil)]),
    ])
  }

  @Test func `pause stops the command where it is, and continues it when the path is back`() {
    Self.check(
      onLoss: .pause,
      [
        Self.start, Self.pause, (2, .commandStopped(signal: SIGSTOP, terminal: .here), []), (3, .judged(.notMet), []),
        (4, .judged(.unknown), []), (5, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)]), Self.pause,
      ])
  }

  @Test func `continue leaves the command alone`() {
    Self.check(
      onLoss: .continue, [Self.start, (1, .judged(.notMet), []), (2, .judged(.met), []), (3, .judged(.notMet), [])])
  }

  @Test(arguments: LossReaction.allCases)
  func `an unknown path is no loss, and no return`(reaction: LossReaction) {
    Self.check(onLoss: reaction, [Self.start, (1, .judged(.unknown), []), (2, .judged(.met), [])])
  }

  // MARK: Change

  private static let restart: Row = (
    1, .changed, [.sendToAll(SIGTERM), .sendToAll(SIGCONT), wake(6), .tellChange]
  )

  @Test func `restart ends the command, and starts it again as soon as nothing of it remains`() {
    Self.check([
      Self.start, Self.restart,
      (2, .commandEnded(.killed(signal: SIGTERM), isEmpty: false), [.takeTerminal(.restore)]),
      (3, .childEnded(isEmpty: true), [.wake(at: nil), .start]),
      (4, .commandEnded(.exited(3), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .end(status: 3)]),
    ])
  }

  @Test func `changes while the command ends are one restart`() {
    Self.check([
      Self.start, Self.restart, (2, .changed, []), (3, .judged(.met), []), (4, .changed, []),
      (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]), (6, .changed, []),
      (
        6.1, .commandEnded(.killed(signal: SIGKILL), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil), .start]
      ),
      (8, .changed, [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(13), .tellChange]),
    ])
  }

  @Test func `a path that is lost during a restart is waited for`() {
    Self.check([
      Self.start, Self.restart, (2, .judged(.notMet), []),
      (3, .commandEnded(.killed(signal: SIGTERM), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil)]),
      (4, .judged(.met), [.start]),
    ])
  }

  /// The seconds of the reactions to a path that leads another way at each quarter of a second.
  private static func reactions(
    for seconds: ClosedRange<Int>, _ supervision: inout CommandSupervision
  ) -> [Double] {
    stride(from: Double(seconds.lowerBound), through: Double(seconds.upperBound), by: 0.25).filter { second in
      let now = MonotonicInstant(seconds: second)
      let actions = supervision.handle(.changed, at: now)
      if actions.contains(.sendToAll(SIGTERM)) {
        _ = supervision.handle(.commandEnded(.killed(signal: SIGTERM), isEmpty: true), at: now)
      }
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

  @Test func `a loss that has ended the command is followed by one start, whatever has changed`() {
    Self.check([
      Self.start, Self.stop, (2, .judged(.met), []), (2, .changed, []),
      (3, .commandEnded(.killed(signal: SIGTERM), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil), .start]),
    ])
  }

  @Test func `a signal goes to the group of the command, and to nothing else`() {
    Self.check(
      onChange: .signal(SIGHUP),
      [
        Self.start, (1, .changed, [.send(SIGHUP), .tellChange]), (2, .changed, [.send(SIGHUP), .tellChange]),
        (3, .judged(.notMet), [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(8), .tellLoss]),
        (4, .judged(.met), []), (4, .changed, []),
      ])
  }

  @Test func `a paused command is continued first, and then restarted or sent the signal`() {
    let resumed: Row = (2, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)])
    Self.check(
      onLoss: .pause,
      [
        Self.start, Self.pause, resumed,
        (2, .changed, [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(7), .tellChange]),
      ])
    Self.check(
      onLoss: .pause, onChange: .signal(SIGUSR1),
      [Self.start, Self.pause, resumed, (2, .changed, [.send(SIGUSR1), .tellChange])])
  }

  @Test func `with continue a loss is nothing, and the change after it a restart`() {
    Self.check(onLoss: .continue, [Self.start, (1, .judged(.notMet), []), (1, .judged(.met), []), Self.restart])
  }

  @Test func `ignore leaves the command alone`() {
    Self.check(onChange: .ignore, [Self.start, (1, .changed, [])])
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGQUIT])
  func `a command that was sent an ending signal is left to itself`(signal: Int32) {
    Self.check([
      Self.start, (0.5, .signalled(signal), [.send(signal), .send(SIGCONT)]), (1, .changed, []),
    ])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal during a restart ends us with the command`(signal: Int32) {
    Self.check([
      Self.start, Self.restart, (2, .signalled(signal), [.send(signal)]),
      (
        3, .commandEnded(.killed(signal: SIGTERM), isEmpty: true),
        [.takeTerminal(.restore), .wake(at: nil), .end(status: 143)]
      ),
    ])
  }

  @Test func `a change before the first start is none`() {
    Self.check([(0, .judged(.notMet), []), (1, .changed, []), (2, .judged(.met), [.start])])
  }

  // MARK: Signals

  @Test(arguments: endingSignals)
  func `a signal while nothing runs ends us with its number`(signal: Int32) {
    Self.check([(0, .signalled(signal), [.end(status: 128 + signal)]), (1, .judged(.met), [])])
    Self.check([
      Self.start, Self.stop,
      (2, .commandEnded(.killed(signal: SIGTERM), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil)]),
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
    Self.check([
      Self.start, (0.5, .signalled(signal), [.send(signal), .send(SIGCONT)]), Self.stop,
      (
        2, .commandEnded(.exited(9), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .end(status: 9)]
      ),
    ])
  }

  @Test func `a command that SIGTERM does not end is killed after the grace time`() {
    let asked: Row = (1, .signalled(SIGTERM), [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(6)])
    Self.check([
      Self.start, asked, (2, .judged(.notMet), []),
      (3, .commandEnded(.exited(9), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .end(status: 9)]),
    ])
    Self.check([
      Self.start, asked, (2, .signalled(SIGTERM), [.send(SIGTERM)]),
      (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (7, .timerFired(isEmpty: false), [.end(status: 143)]),
    ])
  }

  @Test func `a command that cannot be killed is not started a second time, and a signal ends us without it`() {
    Self.check([
      Self.start, Self.stop, (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (7, .timerFired(isEmpty: false), [.tellStuck]), (8, .judged(.met), []),
      (9, .signalled(SIGTERM), [.send(SIGTERM), .end(status: 143)]),
    ])
    Self.check([
      Self.start, Self.stop, (6, .timerFired(isEmpty: false), [.sendToAll(SIGKILL), Self.wake(7)]),
      (7, .timerFired(isEmpty: false), [.tellStuck]), (8, .judged(.met), []),
      (
        9, .commandEnded(.killed(signal: SIGKILL), isEmpty: true), [.takeTerminal(.restore), .wake(at: nil), .start]
      ),
    ])
  }

  @Test(arguments: endingSignals)
  func `the command is not started again after a signal`(signal: Int32) {
    Self.check([
      Self.start, Self.stop, (2, .signalled(signal), [.send(signal)]), (3, .judged(.met), []),
      (
        4, .commandEnded(.killed(signal: SIGTERM), isEmpty: true),
        [.takeTerminal(.restore), .wake(at: nil), .end(status: 143)]
      ),
    ])
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGQUIT])
  func `a paused command is continued, so that it can act on the signal`(signal: Int32) {
    Self.check(
      onLoss: .pause,
      [
        Self.start, Self.pause, (2, .signalled(signal), [.send(signal), .returnTerminal, .sendToAll(SIGCONT)]),
        // It may take long: it is not paused again for a path that is lost already.
        (3, .judged(.notMet), []), (4, .judged(.met), []),
      ])
  }

  @Test(arguments: [SIGINT, SIGQUIT])
  func `a key that ends a command which is ending anyway ends us too`(signal: Int32) {
    Self.check([
      Self.start, Self.stop,
      (
        2, .commandEnded(.killed(signal: signal), isEmpty: true),
        [.takeTerminal(.restore), .wake(at: nil), .end(status: 128 + signal)]
      ),
    ])
  }

  // MARK: Ctrl-Z

  @Test func `a command that was stopped at the terminal stops us, and both go on together`() {
    Self.check([
      Self.start, (1, .commandStopped(signal: SIGTSTP, terminal: .elsewhere), [.takeTerminal(.keep), .suspend]),
      (9, .continued, [.returnTerminal, .send(SIGCONT)]),
    ])
  }

  @Test func `without a terminal a command that another process has stopped stays stopped`() {
    Self.check([Self.start, (1, .commandStopped(signal: SIGSTOP, terminal: .nowhere), [])])
  }

  @Test(arguments: [SIGTTIN, SIGTTOU])
  func `a command that asks for the terminal gets it from us, or waits with us in the background`(signal: Int32) {
    Self.check([
      Self.start, (1, .commandStopped(signal: signal, terminal: .here), [.giveTerminal, .send(SIGCONT)]),
      (2, .commandStopped(signal: signal, terminal: .elsewhere), [.takeTerminal(.keep), .suspend]),
    ])
  }

  @Test func `Ctrl-Z that reaches us stops the command first if it runs, and else us alone`() {
    Self.check(
      onLoss: .pause,
      [
        (0, .suspensionAsked, [.suspend]), (0, .continued, []), Self.start, (1, .suspensionAsked, [.send(SIGTSTP)]),
        (1, .commandStopped(signal: SIGTSTP, terminal: .here), [.takeTerminal(.keep), .suspend]),
        (2, .continued, [.returnTerminal, .send(SIGCONT)]), Self.pause, (3, .suspensionAsked, [.suspend]),
        (4, .continued, []), (5, .judged(.met), [.returnTerminal, .sendToAll(SIGCONT)]),
      ])
  }

  // MARK: No more paths

  @Test func `when the paths end a waiting run ends, and a running command runs on to its own end`() {
    Self.check([(0, .pathsEnded(status: 69), [.end(status: 69)])])
    Self.check([
      Self.start, (1, .pathsEnded(status: 69), []),
      (2, .commandEnded(.exited(4), isEmpty: true), [.takeTerminal(.keep), .wake(at: nil), .end(status: 4)]),
    ])
  }

  @Test func `a command that is paused or ending then is ended for good, and the status has the reason`() {
    let ended: Row = (
      3, .commandEnded(.killed(signal: SIGTERM), isEmpty: true),
      [.takeTerminal(.restore), .wake(at: nil), .end(status: 69)]
    )
    Self.check(
      onLoss: .pause,
      [
        Self.start, Self.pause,
        (2, .pathsEnded(status: 69), [.returnTerminal, .sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(7)]), ended,
      ])
    Self.check([Self.start, Self.stop, (2, .pathsEnded(status: 69), []), ended])
  }
}

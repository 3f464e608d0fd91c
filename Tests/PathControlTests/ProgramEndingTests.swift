import Glibc
import PathControl
import ProcessTestSupport
import SystemIO
import Testing

/// Each test is a row of inputs and the expected actions.
@Suite("The end of a program")
struct ProgramEndingTests {
  private static func at(_ second: Int) -> MonotonicInstant { MonotonicInstant(second * 1_000) }
  private static func wake(_ second: Int) -> ProgramEnding.Action { .wake(at: at(second)) }
  private static let over: [ProgramEnding.Action] = [.wake(at: nil), .over]

  private static func asked(isFinal: Bool = false) -> ProgramEnding {
    var ending = ProgramEnding(grace: .seconds(5))
    #expect(
      ending.ask(with: SIGTERM, isFinal: isFinal, at: at(0)) == [.sendToAll(SIGTERM), .sendToAll(SIGCONT), wake(5)])
    return ending
  }

  @Test func `a program that leaves nothing behind is over when it has ended`() {
    var ending = ProgramEnding(grace: .seconds(5))
    #expect(ending.childEnded(isEmpty: false).isEmpty)
    #expect(ending.firstEnded(isEmpty: true, at: Self.at(1)) == Self.over)
  }

  @Test func `the rest of a program is asked to end, killed after the grace time, and then left alone`() {
    var ending = ProgramEnding(grace: .seconds(5))
    #expect(
      ending.firstEnded(isEmpty: false, at: Self.at(0)) == [.sendToAll(SIGTERM), .sendToAll(SIGCONT), Self.wake(5)])
    #expect(ending.childEnded(isEmpty: false).isEmpty)
    #expect(ending.timerFired(isEmpty: false, at: Self.at(5)) == [.sendToAll(SIGKILL), Self.wake(6)])
    #expect(ending.timerFired(isEmpty: false, at: Self.at(6)) == [.over])
  }

  @Test func `the end of the first process cancels no SIGKILL for the others`() {
    var ending = Self.asked()
    #expect(ending.firstEnded(isEmpty: false, at: Self.at(1)).isEmpty, "the timer of the request stays")
    #expect(ending.timerFired(isEmpty: false, at: Self.at(5)) == [.sendToAll(SIGKILL), Self.wake(6)])
    #expect(ending.childEnded(isEmpty: true) == Self.over)
  }

  @Test func `a process that a dying one has started is killed as soon as it is found`() {
    var ending = Self.asked()
    _ = ending.timerFired(isEmpty: false, at: Self.at(5))
    #expect(ending.childEnded(isEmpty: false) == [.sendToAll(SIGKILL)])
    var stuck = ending
    #expect(stuck.timerFired(isEmpty: false, at: Self.at(6)) == [.reportStuck])
    #expect(stuck.childEnded(isEmpty: false) == [.sendToAll(SIGKILL)], "also after the report")
    #expect(ending.firstEnded(isEmpty: false, at: Self.at(5)) == [.sendToAll(SIGKILL), Self.wake(6)])
    #expect(ending.childEnded(isEmpty: true) == Self.over)
  }

  @Test func `a program that cannot be killed is waited for, unless its caller ends`() {
    var ending = Self.asked()
    _ = ending.timerFired(isEmpty: false, at: Self.at(5))
    #expect(ending.timerFired(isEmpty: false, at: Self.at(6)) == [.reportStuck])
    var other = ending
    #expect(ending.ask(with: SIGTERM, isFinal: true, at: Self.at(9)) == [.over])
    #expect(other.firstEnded(isEmpty: true, at: Self.at(9)) == Self.over)
    var final = Self.asked(isFinal: true)
    _ = final.timerFired(isEmpty: false, at: Self.at(5))
    #expect(final.timerFired(isEmpty: false, at: Self.at(6)) == [.over])
  }

  @Test func `a later request neither lengthens nor shortens the grace time`() {
    var ending = Self.asked()
    #expect(ending.ask(with: SIGINT, isFinal: true, at: Self.at(3)) == [.sendToAll(SIGINT), .sendToAll(SIGCONT)])
    #expect(ending.timerFired(isEmpty: false, at: Self.at(5)) == [.sendToAll(SIGKILL), Self.wake(6)])
  }

  @Test func `a program that ends anyway gets no signal before SIGKILL`() {
    var ending = ProgramEnding(grace: .seconds(5))
    #expect(ending.ask(with: nil, isFinal: true, at: Self.at(0)) == [Self.wake(5)])
    #expect(ending.timerFired(isEmpty: false, at: Self.at(5)) == [.sendToAll(SIGKILL), Self.wake(6)])
  }

  @Test func `a program whose end no signal has reported is over at the next look`() {
    var ending = ProgramEnding(grace: .seconds(5))
    _ = ending.firstEnded(isEmpty: false, at: Self.at(0))
    #expect(ending.timerFired(isEmpty: true, at: Self.at(5)) == [.over])
  }
}

import PathTestSupport
import Testing

@testable import ErrorHandling

@Suite("The line of errors for one presenter")
struct PresentationLineTests {
  private func key(_ text: String) -> PresentationLine.Key {
    PresentationLine.Key(ErrorPresentation(NamedError(name: text)))
  }

  private struct NamedError: PresentableError {
    var name: String
    var message: ErrorMessage { ErrorMessage(name) }
  }

  /// A line that the errors of these names have entered, and their tickets.
  private func line(of names: String...) -> (line: PresentationLine, tickets: [PresentationLine.Ticket?]) {
    var line = PresentationLine()
    let tickets = names.map { line.enter(key($0)) }
    return (line, tickets)
  }

  @Test func `equal errors share the choice, and the next different one is shown`() {
    let (entered, tickets) = line(of: "a", "a", "b")
    var line = entered
    let woken = line.leave(choice: .some("try-again"))
    #expect(woken.map(\.ticket) == tickets.compactMap(\.self))
    #expect(woken.map(\.wakeup) == [.answer("try-again"), .turn])
  }

  @Test func `an error that was dismissed is dismissed for equal ones too`() {
    var line = line(of: "a", "a").line
    let woken = line.leave(choice: .some(nil))
    #expect(woken.map(\.wakeup) == [.answer(nil)])
    #expect(line.isIdle)
  }

  @Test func `a cancelled presentation has no answer, and an equal error is shown instead`() {
    var line = line(of: "a", "a", "a").line
    let woken = line.leave(choice: nil)
    #expect(woken.map(\.wakeup) == [.turn])
  }

  @Test("each waiter is woken once, and one error is shown at a time", arguments: SeededGenerator.seeds)
  func invariants(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var line = PresentationLine()
    var waiting: Set<Int> = []
    var isShown = false
    for _ in 0..<5_000 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0...1:
        let ticket = line.enter(key("\(Int.random(in: 0..<3, using: &generator))"))
        #expect((ticket == nil) == !isShown)
        if let ticket { waiting.insert(ticket) }
        isShown = true
      case 2...3 where isShown:
        let woken = line.leave(choice: [nil, .some(nil), .some("x")].randomElement(using: &generator) ?? nil)
        for (ticket, _) in woken {
          let wasWaiting = waiting.remove(ticket) != nil
          #expect(wasWaiting)
        }
        let turns = woken.count { $0.wakeup == .turn }
        #expect(turns <= 1)
        isShown = turns == 1
        #expect(isShown || waiting.isEmpty)
      default:
        guard let ticket = waiting.randomElement(using: &generator) else { continue }
        let (isFirst, isSecond) = (line.abandon(ticket), line.abandon(ticket))
        #expect(isFirst && !isSecond)
        waiting.remove(ticket)
      }
    }
  }
}

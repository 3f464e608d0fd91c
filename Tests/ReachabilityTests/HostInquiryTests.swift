import Testing

@testable import Reachability

@Suite("The times at which a host is looked up")
struct HostInquiryTests {
  @Test func `a host that is not reachable is looked up at growing intervals, up to a minute`() {
    var inquiry = HostInquiry()
    var pauses: [Duration] = []
    var action = inquiry.pathChanged(isSatisfied: true)
    for _ in 0..<9 {
      guard case .ask(let question) = action else { break }
      guard case .askAfter(let pause, let next) = inquiry.receive(.unreachable, to: question) else { break }
      pauses.append(pause)
      action = inquiry.timeIsUp(next)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(inquiry.pathChanged(isSatisfied: true) == .nothing, "a question is under way")
    #expect(inquiry.receive(.unreachable, to: 1) == .ask(2))
    #expect(inquiry.receive(.unreachable, to: 2) == .askAfter(.seconds(1), 2), "another path, another chance")
    #expect(inquiry.receive(.reachable, to: 2) == .nothing)
  }

  @Test func `without a path there is no lookup, and no known state any more`() {
    var inquiry = HostInquiry()
    #expect(inquiry.pathChanged(isSatisfied: false) == .nothing)
    #expect(inquiry.pathChanged(isSatisfied: true) == .ask(2))
    #expect(inquiry.receive(.reachable, to: 2) == .nothing)
    #expect(inquiry.answer == .reachable)
    #expect(inquiry.isAnswered)
    #expect(inquiry.pathChanged(isSatisfied: false) == .nothing)
    #expect(inquiry.answer == nil)
    #expect(!inquiry.isAnswered)
  }

  @Test func `bad news from before a change of the path is void`() {
    var inquiry = HostInquiry()
    #expect(inquiry.pathChanged(isSatisfied: true) == .ask(1))
    #expect(inquiry.pathChanged(isSatisfied: true) == .nothing)
    #expect(inquiry.receive(.unreachable, to: 1) == .ask(2))
    #expect(inquiry.answer == nil)
    #expect(!inquiry.isAnswered)
  }

  @Test func `good news from before a change of the path holds, so that a series of changes cannot delay it`() {
    var inquiry = HostInquiry()
    var action = inquiry.pathChanged(isSatisfied: true)
    for _ in 0..<5 {
      guard case .ask(let question) = action else { break }
      #expect(inquiry.pathChanged(isSatisfied: true) == .nothing)
      action = inquiry.receive(.reachable, to: question)
      #expect(action == .ask(question + 1), "it is asked for on this path, too")
      #expect(inquiry.answer == .reachable)
      #expect(inquiry.isAnswered)
    }
  }

  @Test func `any news from before the path was lost is void`() {
    var inquiry = HostInquiry()
    #expect(inquiry.pathChanged(isSatisfied: true) == .ask(1))
    #expect(inquiry.pathChanged(isSatisfied: false) == .nothing)
    #expect(inquiry.pathChanged(isSatisfied: true) == .nothing, "the question is still under way")
    #expect(inquiry.receive(.reachable, to: 1) == .ask(3))
    #expect(inquiry.answer == nil)
    #expect(!inquiry.isAnswered)
    #expect(inquiry.pathChanged(isSatisfied: false) == .nothing)
    #expect(inquiry.receive(.unreachable, to: 3) == .nothing)
    #expect(inquiry.answer == nil)
    #expect(inquiry.pathChanged(isSatisfied: true) == .ask(5), "nothing is under way any more")
    #expect(inquiry.timeIsUp(4) == .nothing)
  }

  @Test func `if the lookup fails on our side, the known state stays, and we ask again`() {
    var inquiry = HostInquiry()
    _ = inquiry.pathChanged(isSatisfied: true)
    _ = inquiry.receive(.unreachable, to: 1)
    _ = inquiry.timeIsUp(1)
    #expect(inquiry.receive(.unknown, to: 1) == .askAfter(.seconds(2), 1))
    #expect(inquiry.answer == .unreachable)
    var other = HostInquiry()
    _ = other.pathChanged(isSatisfied: true)
    #expect(other.receive(.unknown, to: 1) == .askAfter(.seconds(1), 1))
    #expect(other.answer == .unknown)
  }
}

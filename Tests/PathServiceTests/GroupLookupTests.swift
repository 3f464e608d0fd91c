import Foundation
import Synchronization
import SystemIO
import Testing

@testable import PathService

@Suite("Looking up the group")
struct GroupLookupTests {
  @Test func `during a slow lookup the loop goes on, and one answer serves all callers`() throws {
    let loop = try EventLoop()
    let gate = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let lookup = GroupLookup(loop: loop, name: "wheel") { name in
      gate.wait()
      count.add(1, ordering: .relaxed)
      return name == "wheel" ? 7 : nil
    }
    defer { lookup.stop() }
    var answers: [UInt32?] = []
    for _ in 0..<100 { lookup.withNumber { answers.append($0) } }
    var rounds = 0
    let timer = loop.makeTimer { rounds += 1 }
    timer.set(.now)
    try loop.runOnce(until: .now.advanced(by: .seconds(60)))
    #expect(rounds == 1)
    #expect(answers.isEmpty)
    gate.signal()
    while answers.isEmpty { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
    #expect(answers == Array(repeating: 7, count: 100))
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func `a group that does not exist is an answer too`() throws {
    let loop = try EventLoop()
    let lookup = GroupLookup(loop: loop, name: "pmtest-no-such-group")
    defer { lookup.stop() }
    var answer: UInt32?? = nil
    lookup.withNumber { answer = .some($0) }
    while answer == nil { try loop.runOnce(until: .now.advanced(by: .seconds(60))) }
    #expect(answer == .some(nil))
  }
}

import SystemIO
import Testing

@Suite("Timers of the event loop")
struct EventLoopTimerTests {
  private let loop: EventLoop
  private let pipe = TestPipe()

  init() throws { loop = try EventLoop() }

  /// A moment that a working loop does not wait for.
  private static var later: MonotonicInstant { .now.advanced(by: .seconds(10)) }

  @Test func `timers go off in the order of their moments, each once`() throws {
    var fired: [Int] = []
    let start = MonotonicInstant.now
    for number in [3, 1, 2] {
      let timer = loop.makeTimer {
        fired.append(number)
        if fired.count == 3 { loop.stop() }
      }
      timer.set(start.advanced(by: .milliseconds(30 * number)))
    }
    try loop.run()
    #expect(fired == [1, 2, 3])
    #expect(start.duration(to: .now) >= .milliseconds(90))
    try loop.runOnce(until: .now)
    #expect(fired == [1, 2, 3])
  }

  @Test func `a timer never goes off before its moment`() throws {
    let start = MonotonicInstant.now
    for step in 1...20 {
      let due = start.advanced(by: .microseconds(700 * step))
      var moment: MonotonicInstant?
      let timer = loop.makeTimer { moment = .now }
      timer.set(due)
      while moment == nil { try loop.runOnce(until: Self.later) }
      #expect(try #require(moment) >= due)
      loop.remove(timer)
    }
  }

  @Test func `a timer can be moved and unset`() throws {
    var fired = 0
    let timer = loop.makeTimer { fired += 1 }
    timer.set(.now)
    timer.set(nil)
    try loop.runOnce(until: .now)
    #expect(fired == 0)
    timer.set(Self.later)
    timer.set(.now)
    try loop.runOnce(until: Self.later)
    #expect(fired == 1)
  }

  @Test func `a timer that another one removes does not go off, though it was due too`() throws {
    var fired = 0
    var timers: [EventLoop.Timer] = []
    for _ in 0..<2 {
      timers.append(
        loop.makeTimer {
          fired += 1
          for timer in timers { loop.remove(timer) }
        })
    }
    for timer in timers { timer.set(.now) }
    try loop.runOnce(until: Self.later)
    #expect(fired == 1)
  }

  @Test func `a timer that a handler of a descriptor removes does not go off`() throws {
    var fired = 0
    let timer = loop.makeTimer { fired += 1 }
    timer.set(.now)
    try pipe.write()
    try loop.watch(pipe.reading) { _ in loop.remove(timer) }
    try loop.runOnce(until: Self.later)
    #expect(fired == 0)
  }

  @Test func `a timer that is set again in its own handler goes off once a round`() throws {
    var fired: [String] = []
    var timer: EventLoop.Timer?
    timer = loop.makeTimer {
      fired.append("again")
      // Long past: it is first in the next round.
      timer?.set(MonotonicInstant(nanoseconds: 0))
    }
    let other = loop.makeTimer { fired.append("other") }
    timer?.set(.now)
    other.set(.now)
    try loop.runOnce(until: Self.later)
    #expect(fired == ["again", "other"])
    try loop.runOnce(until: Self.later)
    #expect(fired == ["again", "other", "again"])
  }

  @Test func `a timer that another one moves while both are due goes off at its new moment only`() throws {
    var fired: [String] = []
    let other = loop.makeTimer { fired.append("other") }
    let mover = loop.makeTimer {
      fired.append("mover")
      other.set(.now)
    }
    mover.set(.now)
    other.set(.now)
    try loop.runOnce(until: Self.later)
    #expect(fired == ["mover"])
    try loop.runOnce(until: Self.later)
    #expect(fired == ["mover", "other"])
    try loop.runOnce(until: .now)
    #expect(fired == ["mover", "other"])
  }

  @Test func `a timer that was removed stays silent, also when it is set`() throws {
    var fired = 0
    let timer = loop.makeTimer { fired += 1 }
    loop.remove(timer)
    loop.remove(timer)
    timer.set(.now)
    try loop.runOnce(until: .now)
    #expect(fired == 0)
  }

  @Test func `a timer may outlive its loop, and does not keep it`() throws {
    var loop: EventLoop? = try EventLoop()
    weak let reference = loop
    let timer = loop?.makeTimer {}
    timer?.set(Self.later)
    loop = nil
    #expect(reference == nil)
    timer?.set(.now)
    timer?.set(nil)
  }

  @Test func `waiting ends at the deadline when nothing happens`() throws {
    let start = MonotonicInstant.now
    try loop.runOnce(until: start.advanced(by: .milliseconds(30)))
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }

  @Test func `a moment further away than a day does not overflow the wait`() throws {
    let timer = loop.makeTimer {}
    timer.set(.now.advanced(by: .seconds(400_000_000)))
    var calls = 0
    try loop.watch(pipe.reading) { _ in calls += 1 }
    try pipe.write()
    try loop.runOnce()
    #expect(calls == 1)
  }
}

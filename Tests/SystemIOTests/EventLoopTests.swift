import CLinux
import SystemIO
import Testing

@Suite("The event loop")
struct EventLoopTests {
  @Test func `readiness has the numbers of the headers`() {
    #expect(EventLoop.Readiness.readable.rawValue == EPOLLIN.rawValue)
    #expect(EventLoop.Readiness.writable.rawValue == EPOLLOUT.rawValue)
    #expect(EventLoop.Readiness.failed.rawValue == EPOLLERR.rawValue)
    #expect(EventLoop.Readiness.hungUp.rawValue == EPOLLHUP.rawValue)
  }

  // MARK: Descriptors

  @Test func `a handler is called whenever there is something to read, and not otherwise`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var calls: [EventLoop.Readiness] = []
    try loop.watch(pipe.reading) { calls.append($0) }
    try loop.runOnce(until: .now)
    #expect(calls.isEmpty)
    try pipe.write()
    try loop.runOnce(until: Self.later)
    try loop.runOnce(until: Self.later)
    #expect(calls == [.readable, .readable])
    _ = try pipe.read(1)
    try loop.runOnce(until: .now)
    #expect(calls.count == 2)
  }

  @Test func `the end of a pipe is always reported`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var calls: [EventLoop.Readiness] = []
    try loop.watch(pipe.reading, for: []) { calls.append($0) }
    try pipe.closeWriting()
    try loop.runOnce(until: Self.later)
    #expect(calls == [.hungUp])
  }

  @Test func `what is watched for can be changed`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var calls = 0
    try loop.watch(pipe.writing, for: []) { _ in calls += 1 }
    try loop.runOnce(until: .now)
    #expect(calls == 0)
    try loop.rewatch(pipe.writing, for: .writable)
    try loop.runOnce(until: Self.later)
    #expect(calls == 1)
  }

  @Test func `a descriptor that is forgotten within a handler is not heard of, though it was ready too`() throws {
    let loop = try EventLoop()
    let pipes = (0..<3).map { _ in TestPipe() }
    var heard: [Int] = []
    for (number, pipe) in pipes.enumerated() {
      try loop.watch(pipe.reading) { _ in
        heard.append(number)
        for other in pipes where other !== pipe { loop.unwatch(other.reading) }
      }
      try pipe.write()
    }
    try loop.runOnce(until: Self.later)
    #expect(heard.count == 1)
    try loop.runOnce(until: Self.later)
    #expect(heard == [heard[0], heard[0]])
  }

  @Test func `a handler may forget its own descriptor, and watch it again`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var calls = 0
    try pipe.write()
    try loop.watch(pipe.reading) { _ in
      calls += 1
      loop.unwatch(pipe.reading)
    }
    try loop.runOnce(until: Self.later)
    try loop.runOnce(until: .now)
    #expect(calls == 1)
    try loop.watch(pipe.reading) { _ in calls += 10 }
    try loop.runOnce(until: Self.later)
    #expect(calls == 11)
    loop.unwatch(pipe.reading)
    loop.unwatch(pipe.reading)
  }

  @Test func `a descriptor cannot be watched twice, and one that is none not at all`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var calls = 0
    try loop.watch(pipe.reading) { _ in calls += 1 }
    #expect(throws: SystemError("watch descriptor \(pipe.reading)", errorNumber: 17)) {
      try loop.watch(pipe.reading) { _ in calls += 100 }
    }
    #expect(throws: SystemError.self) { try loop.watch(-1) { _ in } }
    try pipe.write()
    try loop.runOnce(until: Self.later)
    #expect(calls == 1)
  }

  @Test func `more descriptors than one wait returns are all served`() throws {
    let loop = try EventLoop()
    let pipes = (0..<100).map { _ in TestPipe() }
    var heard: Set<Int> = []
    for (number, pipe) in pipes.enumerated() {
      try pipe.write()
      try loop.watch(pipe.reading) { _ in
        heard.insert(number)
        _ = try? pipe.read(1)
      }
    }
    for _ in 0..<2 { try loop.runOnce(until: .now) }
    #expect(heard.count == 100)
  }

  // MARK: Timers

  @Test func `timers go off in the order of their moments, each once`() throws {
    let loop = try EventLoop()
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
    let loop = try EventLoop()
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
    let loop = try EventLoop()
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

  @Test func `a timer may set itself again`() throws {
    let loop = try EventLoop()
    var fired = 0
    var timer: EventLoop.Timer?
    timer = loop.makeTimer {
      fired += 1
      if fired < 5 { timer?.set(.now) } else { loop.stop() }
    }
    timer?.set(.now)
    try loop.run()
    #expect(fired == 5)
  }

  @Test func `a timer that another one gives back does not go off, though it was due too`() throws {
    let loop = try EventLoop()
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

  @Test func `a timer that a handler of a descriptor gives back does not go off`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var fired = 0
    let timer = loop.makeTimer { fired += 1 }
    timer.set(.now)
    try pipe.write()
    try loop.watch(pipe.reading) { _ in loop.remove(timer) }
    try loop.runOnce(until: Self.later)
    #expect(fired == 0)
  }

  @Test func `waiting ends at the deadline when nothing happens`() throws {
    let loop = try EventLoop()
    let start = MonotonicInstant.now
    try loop.runOnce(until: start.advanced(by: .milliseconds(30)))
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }

  @Test func `a moment further away than a day does not overflow the wait`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    let timer = loop.makeTimer {}
    timer.set(.now.advanced(by: .seconds(400_000_000)))
    var calls = 0
    try loop.watch(pipe.reading) { _ in calls += 1 }
    try pipe.write()
    try loop.runOnce()
    #expect(calls == 1)
  }

  // MARK: Ending and waking

  @Test func `stopping lets the handlers that are due finish`() throws {
    let loop = try EventLoop()
    let pipes = [TestPipe(), TestPipe()]
    var calls = 0
    for pipe in pipes {
      try pipe.write()
      try loop.watch(pipe.reading) { _ in
        calls += 1
        loop.stop()
      }
    }
    try loop.run()
    #expect(calls == 2)
    try loop.run()
    #expect(calls == 4)
  }

  @Test func `another thread wakes the loop, and many calls are one`() throws {
    let wakeup = try Wakeup()
    let calls = Background {
      let loop = try EventLoop()
      var calls = 0
      try loop.watch(wakeup.number) { _ in
        calls += 1
        wakeup.clear()
        loop.stop()
      }
      try loop.run()
      try loop.runOnce(until: .now)
      return calls
    }
    for _ in 0..<10 { wakeup.signal() }
    #expect((1...2).contains(try calls.wait()))
  }

  @Test func `a wakeup that is cleared is quiet, and can be called again`() throws {
    let loop = try EventLoop()
    let wakeup = try Wakeup()
    var calls = 0
    try loop.watch(wakeup.number) { _ in calls += 1 }
    wakeup.clear()
    wakeup.signal()
    wakeup.clear()
    try loop.runOnce(until: .now)
    #expect(calls == 0)
    wakeup.signal()
    try loop.runOnce(until: Self.later)
    #expect(calls == 1)
  }

  /// A moment that a working loop does not wait for.
  private static var later: MonotonicInstant { .now.advanced(by: .seconds(10)) }
}

import CLinux
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

@Suite("The event loop")
struct EventLoopTests {
  private let loop: EventLoop
  private let pipe = TestPipe()

  init() throws { loop = try EventLoop() }

  /// A moment that a working loop does not wait for.
  private static var later: MonotonicInstant { .now.advanced(by: .seconds(10)) }

  @Test func `readiness has the numbers of the headers`() {
    #expect(EventLoop.Readiness.readable.rawValue == EPOLLIN.rawValue)
    #expect(EventLoop.Readiness.writable.rawValue == EPOLLOUT.rawValue)
    #expect(EventLoop.Readiness.failed.rawValue == EPOLLERR.rawValue)
    #expect(EventLoop.Readiness.hungUp.rawValue == EPOLLHUP.rawValue)
  }

  // MARK: Descriptors

  @Test func `a handler is called whenever there is something to read, and not otherwise`() throws {
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
    var calls: [EventLoop.Readiness] = []
    try loop.watch(pipe.reading, for: []) { calls.append($0) }
    try pipe.closeWriting()
    try loop.runOnce(until: Self.later)
    #expect(calls == [.hungUp])
  }

  @Test func `the events of a watch can be changed`() throws {
    var calls = 0
    try loop.watch(pipe.writing, for: []) { _ in calls += 1 }
    try loop.runOnce(until: .now)
    #expect(calls == 0)
    try loop.rewatch(pipe.writing, for: .writable)
    try loop.runOnce(until: Self.later)
    #expect(calls == 1)
  }

  @Test func `a descriptor that is unwatched within a handler has no further events, though it was ready too`() throws {
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

  @Test func `an event of a descriptor that was closed does not reach the next one with its number`() throws {
    let pipes = [TestPipe(), TestPipe()]
    let successor = TestPipe()
    var heard: [String] = []
    for (pipe, other) in [(pipes[0], pipes[1]), (pipes[1], pipes[0])] {
      try pipe.write()
      try loop.watch(pipe.reading) { _ in
        heard.append("first")
        loop.unwatch(pipe.reading)
        loop.unwatch(other.reading)
        #expect(dup2(successor.reading, other.reading) == other.reading)
        #expect(throws: Never.self) { try loop.watch(other.reading) { _ in heard.append("successor") } }
      }
    }
    // Both are ready in the same batch; the first handler replaces the other descriptor.
    try loop.runOnce(until: Self.later)
    #expect(heard == ["first"])
    try loop.runOnce(until: .now)
    #expect(heard == ["first"])
    try successor.write()
    try loop.runOnce(until: Self.later)
    #expect(heard == ["first", "successor"])
  }

  @Test func `a handler may unwatch its own descriptor, and watch it again`() throws {
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

  @Test func `an object that ends with its handler may unwatch other descriptors`() throws {
    final class Owner {
      let loop: EventLoop
      let pipe = TestPipe()
      init(_ loop: EventLoop) throws {
        self.loop = loop
        try loop.watch(pipe.reading) { _ in }
      }
      deinit { loop.unwatch(pipe.reading) }
    }
    var owner: Owner? = try Owner(loop)
    weak let reference = owner
    try loop.watch(pipe.reading) { [owner] _ in _ = owner }
    owner = nil
    #expect(reference != nil)
    loop.unwatch(pipe.reading)
    #expect(reference == nil)
  }

  @Test func `a descriptor cannot be watched twice, and an invalid one not at all`() throws {
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
    let pipes = (0..<300).map { _ in TestPipe() }
    var heard: Set<Int> = []
    for (number, pipe) in pipes.enumerated() {
      try pipe.write()
      try loop.watch(pipe.reading) { _ in
        heard.insert(number)
        _ = try? pipe.read(1)
      }
    }
    for _ in 0..<2 { try loop.runOnce(until: .now) }
    #expect(heard.count == 300)
  }

  // MARK: Ending and waking

  @Test func `stopping lets the handlers that are due finish`() throws {
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
    // They are never read, but must not be closed before.
    withExtendedLifetime(pipes) {}
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
}

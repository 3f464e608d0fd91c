import Dispatch
import SystemIO
import SystemTestSupport
import Testing

@Suite("The lookout")
struct LookoutTests {
  /// A thread that waits again and again, and says so each time it is woken.
  private static func waiting(_ lookout: Lookout, times: Int) -> (DispatchSemaphore, Background<Void>) {
    let woken = DispatchSemaphore(value: 0)
    let thread = Background {
      for _ in 0..<times {
        lookout.wait()
        woken.signal()
      }
    }
    return (woken, thread)
  }

  private static func isSoon(_ woken: DispatchSemaphore) -> Bool { woken.wait(timeout: .now() + 60) == .success }
  private static func isWoken(_ woken: DispatchSemaphore) -> Bool { woken.wait(timeout: .now() + 0.05) == .success }

  @Test func `who waits is woken while the descriptor is looked at, and once each time`() throws {
    let lookout = try Lookout()
    let pipe = TestPipe()
    try lookout.add(pipe.reading)
    let (woken, thread) = Self.waiting(lookout, times: 3)
    try pipe.write()
    #expect(!Self.isWoken(woken), "it is not looked at yet")
    lookout.look(at: pipe.reading, true)
    #expect(Self.isSoon(woken))
    #expect(!Self.isWoken(woken), "there is still something to read, but that was said")
    lookout.look(at: pipe.reading, false)
    #expect(!Self.isWoken(woken))
    lookout.look(at: pipe.reading, true)
    #expect(Self.isSoon(woken))
    _ = try pipe.read(1)
    lookout.look(at: pipe.reading, true)
    #expect(!Self.isWoken(woken), "there is nothing to read")
    try pipe.write()
    #expect(Self.isSoon(woken))
    try thread.wait()
  }

  @Test func `an event loop is readable while something is ready in it`() throws {
    let lookout = try Lookout()
    let loop = try EventLoop()
    let pipe = TestPipe()
    try loop.watch(pipe.reading) { _ in }
    try lookout.add(loop.number)
    lookout.look(at: loop.number, true)
    let (woken, thread) = Self.waiting(lookout, times: 2)
    #expect(!Self.isWoken(woken))
    try pipe.write()
    #expect(Self.isSoon(woken))
    _ = try pipe.read(1)
    lookout.look(at: loop.number, true)
    #expect(!Self.isWoken(woken))
    try pipe.write()
    #expect(Self.isSoon(woken))
    try thread.wait()
  }

  @Test func `at the end everybody is woken, and nobody waits any more`() throws {
    let lookout = try Lookout()
    let (woken, thread) = Self.waiting(lookout, times: 2)
    #expect(!Self.isWoken(woken))
    lookout.end()
    try thread.wait()
    lookout.wait()
  }
}

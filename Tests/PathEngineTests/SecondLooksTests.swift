import PathEngine
import ProcessTestSupport
import SystemIO
import Testing

/// The looks come 1 ms, 30 ms and a second after a message.
@Suite("Second looks")
struct SecondLooksTests {
  private var looks = SecondLooks()

  @Test mutating func `after the last message there is a look at each delay, and without one there is none`() {
    var none = looks.next(after: 50)
    #expect(none == nil)
    looks.heard(at: 100)
    looks.heard(at: 500)
    for (now, look) in [(500, 501), (501, 530), (530, 1_500)] as [(MonotonicInstant, MonotonicInstant)] {
      let next = looks.next(after: now)
      #expect(next == look)
    }
    none = looks.next(after: 1_500)
    #expect(none == nil)
  }

  @Test mutating func `a look that comes late skips those that are over`() {
    looks.heard(at: 0)
    let next = looks.next(after: 50)
    #expect(next == 1_000)
  }

  @Test mutating func `a change that the answers show needs only the last look, also after another of this kind`() {
    for now: MonotonicInstant in [0, 20] {
      looks.heard(at: now)
      looks.sawItDone()
      let next = looks.next(after: now)
      #expect(next == now.advanced(by: .seconds(1)))
    }
  }

  @Test mutating func `a message that came just before keeps its remaining looks`() {
    looks.heard(at: 0)
    // At 3 ms the first look has been made, but not the next one.
    for (now, look) in [(0, 1), (3, 33), (43, 1_043)] as [(MonotonicInstant, MonotonicInstant)] {
      looks.heard(at: now)
      looks.sawItDone()
      let next = looks.next(after: now)
      #expect(next == look)
    }
  }
}

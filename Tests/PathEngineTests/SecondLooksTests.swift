import PathEngine
import SystemIO
import Testing

@Suite("Second looks")
struct SecondLooksTests {
  private typealias Looks = SecondLooks

  @Test func `without a message there is no second look`() {
    var looks = Looks()
    #expect(looks.next(after: .now) == nil)
  }

  @Test func `after a message there is a look at each delay, and then no more`() {
    let heard = MonotonicInstant.now
    var looks = Looks()
    looks.heard(at: heard)
    var moment = heard
    for delay in Looks.delays {
      let next = looks.next(after: moment)
      #expect(next == heard.advanced(by: delay))
      moment = next ?? moment
    }
    #expect(looks.next(after: moment) == nil)
    #expect(looks.next(after: heard) == nil)
  }

  @Test func `another message starts the delays afresh`() {
    let heard = MonotonicInstant.now
    var looks = Looks()
    looks.heard(at: heard)
    let later = heard.advanced(by: .milliseconds(500))
    looks.heard(at: later)
    #expect(looks.next(after: later) == later.advanced(by: Looks.delays[0]))
  }

  @Test func `a change that the answers show needs only the last look`() {
    let heard = MonotonicInstant.now
    var looks = Looks()
    looks.heard(at: heard)
    looks.sawItDone()
    #expect(looks.next(after: heard) == heard.advanced(by: .seconds(1)))
    // Also after a further message of this kind.
    let later = heard.advanced(by: .milliseconds(20))
    looks.heard(at: later)
    looks.sawItDone()
    #expect(looks.next(after: later) == later.advanced(by: .seconds(1)))
  }

  @Test func `a message that came just before keeps its remaining looks`() {
    let heard = MonotonicInstant.now
    var looks = Looks()
    looks.heard(at: heard)
    let later = heard.advanced(by: .microseconds(400))
    looks.heard(at: later)
    looks.sawItDone()
    #expect(looks.next(after: later) == later.advanced(by: Looks.delays[0]))
    // Later the first look has been made, but not the next one.
    let last = heard.advanced(by: .milliseconds(3))
    looks.heard(at: last)
    looks.sawItDone()
    #expect(looks.next(after: last) == last.advanced(by: Looks.delays[1]))
    let end = last.advanced(by: .milliseconds(40))
    looks.heard(at: end)
    looks.sawItDone()
    #expect(looks.next(after: end) == end.advanced(by: Looks.delays[2]))
  }

  @Test func `a look that comes late skips those that are over`() {
    let heard = MonotonicInstant.now
    var looks = Looks()
    looks.heard(at: heard)
    #expect(looks.next(after: heard.advanced(by: .milliseconds(50))) == heard.advanced(by: .seconds(1)))
  }
}

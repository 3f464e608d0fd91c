import PathControl
import SystemIO
import Testing

@Suite("How long a path is waited for to rest")
struct PathRestTests {
  @Test func `a path that has rested is not waited for, and one that changes again and again is only so long`() {
    let start = MonotonicInstant(nanoseconds: 0)
    var rest = PathRest(settle: .seconds(10), at: start)
    #expect(rest.end == start.advanced(by: .seconds(10)))
    rest.observe(age: .seconds(3), at: start)
    #expect(rest.end == start.advanced(by: .seconds(7)))
    rest.observe(age: .seconds(11), at: start)
    #expect(rest.end == start)
    rest.observe(age: .zero, at: start.advanced(by: .seconds(6)))
    #expect(rest.end == start.advanced(by: .seconds(10)))
    var short = PathRest(settle: .milliseconds(100), at: start)
    short.observe(age: .zero, at: start.advanced(by: .milliseconds(500)))
    #expect(short.end == start.advanced(by: .milliseconds(600)))
  }
}

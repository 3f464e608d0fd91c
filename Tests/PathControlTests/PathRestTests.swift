import PathControl
import SystemIO
import Testing

@Suite("Waiting for a path to settle")
struct PathRestTests {
  @Test func `a settled path is not waited for, and one that changes again and again only for a limited time`() {
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

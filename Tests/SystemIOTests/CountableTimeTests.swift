import SystemIO
import Testing

@Suite("Times that every clock can count")
struct CountableTimeTests {
  private static let endless = Duration.seconds(Int64.max)

  @Test func `a time of more than thirty years counts as thirty years, forwards and back`() {
    #expect(Self.endless.countable == .seconds(1_000_000_000))
    #expect((.zero - Self.endless).countable == .seconds(-1_000_000_000))
    #expect(Duration.seconds(5).countable == .seconds(5))
    let now = ContinuousClock.now
    #expect(now.after(Self.endless) == now.advanced(by: .seconds(1_000_000_000)))
  }

  @Test func `a moment of the monotonic clock never overflows`() {
    let now = MonotonicInstant(nanoseconds: 5)
    #expect(now.advanced(by: Self.endless).nanoseconds == 1_000_000_000_000_000_005)
    #expect(now.advanced(by: .zero - Self.endless).nanoseconds == -999_999_999_999_999_995)
    var moment = now
    for _ in 0..<20 { moment = moment.advanced(by: Self.endless) }
    #expect(moment == MonotonicInstant(nanoseconds: .max))
    for _ in 0..<40 { moment = moment.advanced(by: .zero - Self.endless) }
    #expect(moment == MonotonicInstant(nanoseconds: .min))
    #expect(now.advanced(by: .milliseconds(1)).nanoseconds == 1_000_005)
  }
}

import SystemIO
import Testing

@Suite("Pauses between attempts")
struct RetryPausesTests {
  @Test func `each pause is twice the one before, up to the longest, and success begins anew`() {
    var pauses = RetryPauses(first: .seconds(1), longest: .seconds(5))
    #expect((0..<5).map { _ in pauses.next() } == [1, 2, 4, 5, 5].map { .seconds($0) })
    pauses.reset()
    #expect(pauses.next() == .seconds(1))
  }
}

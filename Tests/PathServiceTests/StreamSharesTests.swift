import PathEngine
import PathModel
import Testing

@testable import PathService

@Suite("Shares of streams")
struct StreamSharesTests {
  private static func parameters(_ milliseconds: Int) -> StreamParameters {
    StreamParameters(SettleTimes(.milliseconds(milliseconds)))
  }

  @Test func `a user follows 64 different streams, each as often as wanted, and root more`() {
    var shares = StreamShares()
    let own = (0..<65).map { shares.add(Self.parameters($0), of: 1_000) }
    #expect(own == Array(repeating: true, count: 64) + [false])
    let (again, other) = (shares.add(Self.parameters(0), of: 1_000), shares.add(Self.parameters(64), of: 1_001))
    #expect(again && other)
    let ofRoot = (0..<100).map { shares.add(Self.parameters($0), of: 0) }
    #expect(!ofRoot.contains(false))
  }

  @Test func `a stream counts until its last subscription ends`() {
    var shares = StreamShares()
    for number in 0..<64 { _ = shares.add(Self.parameters(number), of: 1_000) }
    _ = shares.add(Self.parameters(0), of: 1_000)
    shares.remove(Self.parameters(0), of: 1_000)
    let before = shares.add(Self.parameters(64), of: 1_000)
    shares.remove(Self.parameters(0), of: 1_000)
    let after = shares.add(Self.parameters(64), of: 1_000)
    #expect(!before && after)
  }
}

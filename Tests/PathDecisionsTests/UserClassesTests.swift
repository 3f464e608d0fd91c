import PathDecisions
import PathTestSupport
import Testing

@Suite("Classes of users")
struct UserClassesTests {
  @Test(arguments: SeededGenerator.seeds)
  func `the representative is the lowest user in the same ranges, and there are as many as classes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      // Half of the times at the upper end of the users, where nothing may overflow.
      let base = Bool.random(using: &generator) ? 0 : UInt32.max - 63
      // For users of the lower end, the user after the last range has to be checked too.
      let highest: UInt32 = base == 0 ? 62 : 63
      let ranges = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        let ends = (0..<2).map { _ in base + UInt32.random(in: 0...highest, using: &generator) }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
      }
      let classes = UserClasses(ranges: ranges)
      var lowest: [[Bool]: UInt32] = [:]
      for user in [0] + (base...base + 63).map({ $0 }) + [UInt32.max] {
        let membership = ranges.map { $0.contains(user) }
        let expected = lowest[membership] ?? user
        lowest[membership] = expected
        #expect(classes.representative(of: user) == expected, "user \(user) in \(ranges), seed \(seed)")
      }
      // Users that were not checked are outside of all ranges, as is one that was checked.
      #expect(classes.count == lowest.count, "\(ranges), seed \(seed)")
      #expect(UserClasses(ranges: ranges.reversed()) == classes)
    }
  }

  @Test func `no range, one of all users and thousands are distinguished`() {
    for ranges: [ClosedRange<UInt32>] in [[], [0 ... .max]] { #expect(UserClasses(ranges: ranges).count == 1) }
    #expect(UserClasses(ranges: []).representative(of: 1_000) == nil, "no lookup needs a user")
    let nested = (0..<4_000).map { UInt32($0)...(100_000 - UInt32($0)) }
    let classes = UserClasses(ranges: nested)
    #expect(classes.count == 4_001)
    #expect(classes.representative(of: 2_500) == 2_500)
    #expect(classes.representative(of: 100_000 - 2_500) == 2_500)
    #expect(classes.representative(of: 50_000) == 3_999)
    #expect(classes.representative(of: 100_001) == 100_001)
    #expect(classes.representative(of: .max) == 100_001)
  }
}

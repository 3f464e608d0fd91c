import PathDecisions
import PathTestSupport
import Testing

@Suite("Classes of users")
struct UserClassesTests {
  @Test func `without ranges all users are one class, and no lookup needs a user`() {
    let classes = UserClasses(ranges: [])
    #expect(classes.count == 1)
    for user in [0, 1_000, UInt32.max] { #expect(classes.representative(of: user) == nil) }
  }

  @Test(
    arguments: [
      ([1_000...1_999], 2, [(0, 0), (999, 0), (1_000, 1_000), (1_999, 1_000), (2_000, 0), (.max, 0)]),
      ([0 ... .max], 1, [(0, 0), (5, 0), (.max, 0)]), ([0...0], 2, [(0, 0), (1, 1), (.max, 1)]),
      ([.max ... .max], 2, [(0, 0), (.max - 1, 0), (.max, .max)]),
      ([10...20, 15...30], 4, [(9, 0), (10, 10), (15, 15), (20, 15), (21, 21), (30, 21), (31, 0)]),
      ([10...20, 21...30], 3, [(20, 10), (21, 21), (31, 0)]), ([10...20, 10...20], 2, [(9, 0), (15, 10), (21, 0)]),
      ([0...100, 40...60], 3, [(39, 0), (40, 40), (60, 40), (61, 0), (100, 0), (101, 101)]),
      ([5 ... .max, 0...9], 3, [(4, 0), (5, 5), (9, 5), (10, 10), (.max, 10)]),
    ] as [([ClosedRange<UInt32>], Int, [(UInt32, UInt32)])])
  func `users are in one class when they are in the same ranges`(
    ranges: [ClosedRange<UInt32>], count: Int, representatives: [(user: UInt32, representative: UInt32)]
  ) {
    let classes = UserClasses(ranges: ranges)
    #expect(classes.count == count)
    for (user, representative) in representatives {
      #expect(classes.representative(of: user) == representative, "user \(user)")
    }
    #expect(UserClasses(ranges: ranges.reversed()) == classes)
  }

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
    }
  }

  @Test func `thousands of ranges are distinguished`() {
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

/// Reproducible random numbers: the same seed gives the same numbers (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below the limit.
  package mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// True once in so many times.
  package mutating func chance(_ times: Int) -> Bool { next(below: times) == 0 }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }

  /// Seeds for a property test, which prints them: a few that stay, and one that is new each time.
  package static let seeds: [UInt64] = [1, 2, UInt64.random(in: 3...UInt64(UInt32.max))]
}

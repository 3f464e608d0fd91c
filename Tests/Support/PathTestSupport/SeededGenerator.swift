/// Reproducible random numbers: the same seed gives the same numbers (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of the seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Seeds for a property test, which prints them: a few that stay, and one that is new each time.
  package static let seeds: [UInt64] = [1, 2, UInt64.random(in: 3...UInt64(UInt32.max))]
}

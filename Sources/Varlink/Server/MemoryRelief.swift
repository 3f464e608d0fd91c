/// When the memory of many clients who have gone is to be given back to the system: the allocator keeps it otherwise.
/// Pure.
struct MemoryRelief {
  /// What a connection takes, about, in bytes.
  private static let bytesPerConnection = 2_048
  /// What is not worth the time that giving it back takes, in bytes.
  private static let negligible = 2 << 20

  /// After so many turns the allocator may keep much in small pieces.
  private static let manyTurns = 4_096

  private var most = 0
  private var turns = 0

  /// Takes note of a client's turn.
  mutating func noteTurn() { turns += 1 }

  /// Takes note of what clients make us hold. Returns whether it is much less than it was, or many turns were taken.
  mutating func isOver(bytes: Int, connections: Int) -> Bool {
    let amount = bytes + connections * Self.bytesPerConnection
    most = max(most, amount)
    return most > Self.negligible && amount < most / 4 || turns >= Self.manyTurns
  }

  /// Counts anew, from what clients make us hold now.
  mutating func begin(bytes: Int, connections: Int) {
    most = bytes + connections * Self.bytesPerConnection
    turns = 0
  }
}

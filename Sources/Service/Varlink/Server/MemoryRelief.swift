/// Decides when to return the memory of many former clients to the system: the allocator keeps it otherwise. Pure.
struct MemoryRelief {
  /// The approximate memory of a connection, in bytes.
  private static let bytesPerConnection = 2_048
  /// The amount of memory that is not worth the time to return it, in bytes.
  private static let negligible = 2 << 20

  /// The number of turns after which the allocator may keep much memory in small pieces.
  private static let manyTurns = 4_096

  private var most = 0
  private var turns = 0

  /// Counts a turn of a client.
  mutating func noteTurn() { turns += 1 }

  /// Records the amount that clients make us hold. Returns whether it is far below its maximum, or many turns were
  /// taken.
  mutating func isOver(bytes: Int, connections: Int) -> Bool {
    let amount = bytes + connections * Self.bytesPerConnection
    most = max(most, amount)
    return most > Self.negligible && amount < most / 4 || turns >= Self.manyTurns
  }

  /// Restarts both counts, from the amount that clients make us hold now.
  mutating func begin(bytes: Int, connections: Int) {
    most = bytes + connections * Self.bytesPerConnection
    turns = 0
  }
}

/// Times that every clock can count.
extension Duration {
  /// Thirty years. A clock counts seconds in 64 bits, and a sleep until a moment beyond them ends the program.
  private static let longestCountable = Duration.seconds(1_000_000_000)

  /// The duration, or thirty years forwards or back if it is longer.
  package var countable: Duration { min(max(self, .zero - Self.longestCountable), Self.longestCountable) }
}

extension InstantProtocol where Duration == Swift.Duration {
  /// The moment after the time, which counts as thirty years if it is longer. Callers of a library may give any time.
  package func after(_ time: Duration) -> Self { advanced(by: time.countable) }
}

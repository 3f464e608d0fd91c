import SystemIO

/// The steps of a test, in the order in which they happened.
final class Trace: Sendable {
  private let lines = Guarded<[String]>([])

  /// The steps so far.
  var steps: [String] { lines.copy }

  /// Adds a step.
  func add(_ step: String) { lines.withLock { $0.append(step) } }
}

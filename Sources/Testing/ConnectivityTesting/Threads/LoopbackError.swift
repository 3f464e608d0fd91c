internal import SystemIO

/// A server or a conditioner for tests that could not be started.
public struct LoopbackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempt and the reason for its failure, as a sentence.
  public let description: String

  init(_ error: SystemError) {
    let text = error.description
    description = text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

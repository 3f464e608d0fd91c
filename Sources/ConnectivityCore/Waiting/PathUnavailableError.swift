public import PathModel

/// The path was not as required, or not for long enough.
public struct PathUnavailableError: Error, Hashable, Sendable {
  /// What happened.
  public enum Reason: Hashable, Sendable {
    /// The path has not become as required in time.
    case timedOut
    /// The path was as required, and then no more for longer than the grace period.
    case lost
  }

  /// What happened.
  public var reason: Reason
  /// What was required.
  public var requirement: PathRequirement
  /// The path as it was in the end.
  public var path: NetworkPath

  /// An error as given.
  public init(_ reason: Reason, requirement: PathRequirement, path: NetworkPath) {
    self.reason = reason
    self.requirement = requirement
    self.path = path
  }
}

extension PathUnavailableError: CustomStringConvertible {
  /// What happened, in words, without a full stop.
  public var description: String {
    switch reason {
    case .timedOut: "the path has not become '\(requirement)' in time: \(path)"
    case .lost: "the path is no longer '\(requirement)': \(path)"
    }
  }
}

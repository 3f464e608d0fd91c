public import PathModel

/// The path was not as required, or not for long enough.
public struct PathUnavailableError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Reason: Hashable, Sendable {
    /// The path did not meet the requirement in time.
    case timedOut
    /// The path met the requirement, and then did not for longer than the grace period.
    case lost
  }

  /// The kind of failure.
  public var reason: Reason
  /// The requirement that the path did not meet.
  public var requirement: PathRequirement
  /// The last path before the error.
  public var path: NetworkPath

  /// An error as given.
  public init(_ reason: Reason, requirement: PathRequirement, path: NetworkPath) {
    self.reason = reason
    self.requirement = requirement
    self.path = path
  }
}

extension PathUnavailableError: CustomStringConvertible {
  /// The failure in words, without a full stop.
  public var description: String {
    switch reason {
    case .timedOut: "the path has not become '\(requirement)' in time: \(path)"
    case .lost: "the path is no longer '\(requirement)': \(path)"
    }
  }
}

package import PathModel

/// A target unit of systemd that is active while the path meets a requirement.
package enum SystemdTarget: String, Hashable, Sendable, CaseIterable {
  /// There is a path.
  case online = "path-online.target"
  /// There is a path, and it is not expensive.
  case unmetered = "path-unmetered.target"
  /// There is a path, and the Internet is known to answer.
  case validated = "path-validated.target"

  /// The requirement that the path meets while the target is active.
  package var requirement: PathRequirement {
    switch self {
    case .online: .connected
    case .unmetered: .unmetered
    case .validated: .validated
    }
  }
}

package import PathModel

/// A target unit of systemd that is active while the path is of a kind.
package enum SystemdTarget: String, Hashable, Sendable, CaseIterable {
  /// There is a path.
  case online = "path-online.target"
  /// There is a path that costs nothing by the byte.
  case unmetered = "path-unmetered.target"

  /// When it is to be active.
  package var requirement: PathRequirement {
    switch self {
    case .online: .connected
    case .unmetered: .unmetered
    }
  }
}

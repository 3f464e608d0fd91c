internal import PathModel

/// The kinds of paths over which no packet is sent unless the administrator allows it. Pure.
enum RestrictedPath: String, Hashable, Sendable, CaseIterable {
  /// A path that is metered, or may be.
  case metered
  /// A path with little data to spare.
  case constrained
  /// A path over a tunnel.
  case tunnel
  /// A path over the end of a container's pair, or over a bridge without a card.
  case container

  /// The kinds of a path.
  static func kinds(of path: NetworkPath) -> Set<RestrictedPath> {
    var kinds: Set<RestrictedPath> = []
    if path.isExpensive || path.isExpenseUndetermined { kinds.insert(.metered) }
    if path.isConstrained { kinds.insert(.constrained) }
    if path.usesTunnel { kinds.insert(.tunnel) }
    // Each card has a driver, also that of a virtual machine. Links over others name those.
    if let first = path.interfaces.first, !path.usesTunnel, first.type == .wiredEthernet, first.driver == nil,
      first.underlying.isEmpty
    {
      kinds.insert(.container)
    }
    return kinds
  }
}

extension NetworkPath {
  /// Whether requests may be sent over the path.
  func permitsRequests(over allowed: Set<RestrictedPath>) -> Bool {
    status == .satisfied && knowledge == .known && RestrictedPath.kinds(of: self).isSubset(of: allowed)
  }
}

package import PathModel

/// The advice of `pathctl` about a path that is unsatisfied. The library gives none, because its users have no options.
extension NetworkPath {
  /// A step that the user can take, as a sentence; `nil` when there is none.
  ///
  /// - Parameter isToHost: Whether this is the path to one host; probes do not decide such a path.
  package func advice(isToHost: Bool = false) -> String? {
    guard knowledge != .unknown, status == .unsatisfied else { return nil }
    switch unsatisfiedReason {
    case .noRoute? where !isToHost: return "On a closed network, name an address of yours with --probe."
    case .linkDownRoute?:
      return "With 'sysctl net.ipv4.conf.all.ignore_routes_with_linkdown=1' the kernel moves to the other interface."
    default: return nil
    }
  }
}

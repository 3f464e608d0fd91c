internal import PathConfiguration
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
  /// The reason why no request may be sent over the path, in a sentence; `nil` if one may.
  func obstacle(to allowed: Set<RestrictedPath>) -> String? {
    guard knowledge == .known, status == .satisfied else {
      return "there is no path to ask over. 'pathctl explain' says why."
    }
    let refused = RestrictedPath.kinds(of: self).subtracting(allowed).map(\.rawValue).sorted().joined(separator: " ")
    return refused.isEmpty
      ? nil : "nothing is sent, because the path is of this kind: \(refused). 'AlsoOver=\(refused)' allows it."
  }
}

extension ValidationConfiguration {
  /// The reason why nobody is asked over the path, in a sentence; `nil` if somebody is.
  func obstacle(to path: NetworkPath) -> String? {
    if let obstacle = path.obstacle(to: allowed) { return obstacle }
    return RequestRound(askedHosts, over: path).isEmpty
      ? """
      nothing is asked: the network has announced no address for the sign-in, and Host= in \
      \(ConfigurationSelection.roots[0])/\(Self.mainName) names no two hosts.
      """ : nil
  }
}

extension PathValidation {
  /// No verdict, with the reason.
  static func unknown(because text: String) -> PathValidation {
    PathValidation(evidence: [.init(source: .host, verdict: .unknown, family: nil, when: 0, text: text)])
  }
}

extension OverrideTable {
  /// The path as the administrator wants it to be seen.
  ///
  /// What is said of an interface counts for more than what is said of all. An override on an interface also concerns
  /// those above it, such as the tunnel over it, unless there is one on them; see ``decision(_:on:)``.
  ///
  /// A path that has never been evaluated stays as it is: nothing is known, and it is not to be called offline.
  package func applied(to path: NetworkPath) -> NetworkPath {
    guard !overrides.isEmpty, path.knowledge != .unknown else { return path }
    var result = withStatusOverridden(path)
    result.overrides = overrides.filter { $0.concerns(path) }.map(\.words)
    result.interfaces = result.interfaces.map { applied(to: $0) }
    overrideCost(of: &result)
    return result
  }

  /// The interface with what is said of its cost.
  package func applied(to interface: NetworkInterface) -> NetworkInterface {
    var result = interface
    if let override = decision(.isExpensive, on: interface) { result.isExpensive = override.isTrue }
    if let override = decision(.isConstrained, on: interface) { result.isConstrained = override.isTrue }
    return result
  }

  /// What is said of a field of an interface: by its own override; by those on the interfaces below it; by the one
  /// for all.
  ///
  /// Of several interfaces below, such as the ports of a bond, one that costs something is enough to make the upper one
  /// cost something; anything else must be said of all of them.
  private func decision(_ field: PathOverride.Field, on interface: NetworkInterface) -> PathOverride? {
    if let own = override(field, interface.name) { return own }
    let below = interface.underlying.map { override(field, $0) }
    if let costly = below.first(where: { $0?.isTrue == true }) { return costly }
    if let first = below.first, !below.contains(nil) { return first }
    return override(field, nil)
  }

  private func override(_ field: PathOverride.Field, _ interface: String?) -> PathOverride? {
    overrides.first { $0.field == field && $0.interface == interface }
  }

  private func withStatusOverridden(_ path: NetworkPath) -> NetworkPath {
    if override(.status, nil) != nil {
      var result = path.unsatisfied(because: .overridden)
      (result.interfaces, result.gateways) = ([], [])
      return result
    }
    return path.without { decision(.status, on: $0) != nil }
  }

  /// Overrides what a satisfied path costs by what is said of the interface that carries its traffic.
  private func overrideCost(of path: inout NetworkPath) {
    guard path.status == .satisfied, let first = path.interfaces.first else { return }
    let expensive = decision(.isExpensive, on: first)
    let constrained = decision(.isConstrained, on: first)
    let evidence = [expensive, constrained].compactMap { $0?.evidence }
    if evidence.isEmpty { return }
    path.isExpensive = expensive?.isTrue ?? path.isExpensive
    path.isConstrained = constrained?.isTrue ?? path.isConstrained
    path.cost = Cost(
      isExpensive: path.isExpensive, isConstrained: path.isConstrained,
      confidence: expensive == nil ? path.cost?.confidence ?? .unknown : .user,
      evidence: evidence + (path.cost?.evidence ?? []))
  }
}

extension PathOverride {
  fileprivate var isTrue: Bool { value == "true" }

  /// Whether the override is for all interfaces, for one of the path's, or for one below those.
  fileprivate func concerns(_ path: NetworkPath) -> Bool {
    guard let interface else { return true }
    return path.interfaces.contains { $0.name == interface || $0.underlying.contains(interface) }
  }
}
